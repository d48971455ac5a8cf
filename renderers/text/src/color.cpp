#include <weir/text/font.hpp>

#include <hb-ot.h>

#include "face.hpp"

namespace weir::text {

namespace {

std::optional<GlyphPicture> read_picture(FT_Face face, std::uint32_t glyph) {
    if (FT_Load_Glyph(face, glyph, FT_LOAD_COLOR | FT_LOAD_NO_HINTING) != 0 ||
        face->glyph->format != FT_GLYPH_FORMAT_BITMAP || face->size->metrics.y_ppem == 0) {
        return {};
    }
    const FT_Bitmap& bitmap = face->glyph->bitmap;
    constexpr unsigned most = 4096;
    if (bitmap.pixel_mode != FT_PIXEL_MODE_BGRA || bitmap.width == 0 || bitmap.rows == 0 || bitmap.width > most ||
        bitmap.rows > most) {
        return {};
    }
    GlyphPicture picture{.width = bitmap.width, .height = bitmap.rows};
    for (unsigned y = 0; y < bitmap.rows; ++y) {
        const unsigned char* row = bitmap.buffer + static_cast<std::ptrdiff_t>(y) * bitmap.pitch;
        for (unsigned x = 0; x < bitmap.width; ++x) {
            const unsigned char* pixel = row + std::size_t{x} * 4; // blue, green, red, alpha
            picture.pixels.push_back(static_cast<std::uint32_t>(pixel[2]) | static_cast<std::uint32_t>(pixel[1]) << 8U |
                                     static_cast<std::uint32_t>(pixel[0]) << 16U |
                                     static_cast<std::uint32_t>(pixel[3]) << 24U);
        }
    }
    const float scale = 1 / static_cast<float>(face->size->metrics.y_ppem);
    picture.transform = paths::Transform::scaling(scale, scale) *
                        paths::Transform::translation(static_cast<float>(face->glyph->bitmap_left),
                                                      -static_cast<float>(face->glyph->bitmap_top));
    return picture;
}

/// Returns true for characters whose glyphs may be empty.
bool may_be_empty(char32_t character) {
    switch (hb_unicode_general_category(hb_unicode_funcs_get_default(), character)) {
    case HB_UNICODE_GENERAL_CATEGORY_CONTROL:
    case HB_UNICODE_GENERAL_CATEGORY_FORMAT:
    case HB_UNICODE_GENERAL_CATEGORY_LINE_SEPARATOR:
    case HB_UNICODE_GENERAL_CATEGORY_NON_SPACING_MARK:
    case HB_UNICODE_GENERAL_CATEGORY_PARAGRAPH_SEPARATOR:
    case HB_UNICODE_GENERAL_CATEGORY_SPACE_SEPARATOR: return true;
    default: // fillers of Hangul, and the Braille pattern without dots
        return character == 0x115F || character == 0x1160 || character == 0x2800 || character == 0x3164 ||
               character == 0xFFA0;
    }
}

} // namespace

bool Font::draws(char32_t character) const {
    const std::uint32_t glyph = face_->glyph_of(character);
    return glyph != missing_glyph && (!outline(glyph).empty() || may_be_empty(character) ||
                                      !color_glyph(glyph).steps.empty() || picture(glyph) != nullptr);
}

const ColorGlyph& Font::color_glyph(std::uint32_t glyph) const {
    const std::lock_guard lock(face_->mutex);
    const auto [found, is_new] = face_->color_glyphs.try_emplace(glyph);
    if (is_new && glyph < glyph_count()) {
        found->second = read_color_glyph(*face_, glyph);
    }
    return found->second;
}

std::string_view Font::svg_document(std::uint32_t glyph) const {
    hb_blob_t* blob = hb_ot_color_glyph_reference_svg(hb_font_get_face(face_->hb), glyph);
    unsigned size = 0;
    const char* data = hb_blob_get_data(blob, &size);
    hb_blob_destroy(blob); // the data is the font's
    return {data, size};
}

const GlyphPicture* Font::picture(std::uint32_t glyph) const {
    const std::lock_guard lock(face_->mutex);
    const auto [found, is_new] = face_->pictures.try_emplace(glyph);
    if (is_new && glyph < glyph_count() && face_->bitmaps != nullptr) {
        found->second = read_picture(face_->bitmaps, glyph);
    }
    return found->second ? &*found->second : nullptr;
}

} // namespace weir::text
