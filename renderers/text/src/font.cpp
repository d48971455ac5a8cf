#include <weir/text/font.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <freetype/ftmm.h>
#include <freetype/ftoutln.h>
#include <freetype/ftparams.h>
#include <hb-ot.h>

#include "face.hpp"

namespace weir::text {

namespace {

tl::unexpected<Error> damaged(const char* why) {
    return tl::unexpected(Error{ErrorCode::io, std::string("the font cannot be read: ") + why});
}

/// Opens a font; null if it cannot be read. FreeType hides the outlines of a font with the table sbix, if that is not
/// ignored.
FT_Face open_face(FT_Library library, const std::vector<std::uint8_t>& bytes, std::uint32_t index, bool ignores_sbix) {
    FT_Parameter parameter{.tag = FT_PARAM_TAG_IGNORE_SBIX};
    FT_Open_Args arguments{};
    arguments.flags = FT_OPEN_MEMORY | (ignores_sbix ? FT_OPEN_PARAMS : 0);
    arguments.memory_base = bytes.data();
    arguments.memory_size = static_cast<FT_Long>(bytes.size());
    arguments.num_params = ignores_sbix ? 1 : 0;
    arguments.params = &parameter;
    FT_Face face = nullptr;
    return FT_Open_Face(library, &arguments, static_cast<FT_Long>(index), &face) == 0 ? face : nullptr;
}

/// Sets the size at which outlines are in font units. Returns false if the font has none.
bool set_size(FT_Face face) {
    const FT_UShort em = face->units_per_EM;
    // Sizes beyond the units of any font would overflow coordinates of 26.6 bits.
    return FT_IS_SCALABLE(face) && em != 0 && em <= 16384 && FT_Set_Char_Size(face, em * 64, 0, 72, 72) == 0;
}

/// Selects the largest color bitmaps. Returns false if the font has none.
bool select_bitmaps(FT_Face face) {
    int largest = -1;
    for (int i = 0; i < face->num_fixed_sizes; ++i) {
        if (largest < 0 || face->available_sizes[i].y_ppem > face->available_sizes[largest].y_ppem) {
            largest = i;
        }
    }
    return largest >= 0 && FT_Select_Size(face, largest) == 0;
}

/// Sets the axes that `variations` names and returns the values of all.
std::vector<Variation> set_axes(FT_Library library, FT_Face face, std::span<const Variation> variations) {
    FT_MM_Var* variable = nullptr;
    if (!FT_HAS_MULTIPLE_MASTERS(face) || FT_Get_MM_Var(face, &variable) != 0) {
        return {};
    }
    std::vector<FT_Fixed> values(variable->num_axis);
    if (FT_Get_Var_Design_Coordinates(face, variable->num_axis, values.data()) != 0) {
        for (FT_UInt i = 0; i < variable->num_axis; ++i) {
            values[i] = variable->axis[i].def;
        }
    }
    std::vector<Variation> axes;
    for (FT_UInt i = 0; i < variable->num_axis; ++i) {
        const FT_Var_Axis& axis = variable->axis[i];
        std::string tag;
        for (const int shift : {24, 16, 8, 0}) {
            tag += static_cast<char>(axis.tag >> shift & 0xFF);
        }
        for (const Variation& variation : variations) {
            if (variation.axis == tag && std::isfinite(variation.value)) {
                values[i] = std::lround(std::clamp(variation.value, static_cast<float>(axis.minimum) / 65536,
                                                   static_cast<float>(axis.maximum) / 65536) *
                                        65536);
            }
        }
        axes.push_back({tag, static_cast<float>(values[i]) / 65536});
    }
    FT_Set_Var_Design_Coordinates(face, variable->num_axis, values.data());
    FT_Done_MM_Var(library, variable);
    return axes;
}

Metrics metrics_of(hb_font_t* font) {
    const auto get = [&](hb_ot_metrics_tag_t tag) {
        hb_position_t value = 0;
        hb_ot_metrics_get_position_with_fallback(font, tag, &value);
        return static_cast<float>(value) / Font::Face::units;
    };
    return {.ascent = get(HB_OT_METRICS_TAG_HORIZONTAL_ASCENDER),
            .descent = -get(HB_OT_METRICS_TAG_HORIZONTAL_DESCENDER),
            .line_gap = get(HB_OT_METRICS_TAG_HORIZONTAL_LINE_GAP),
            .x_height = get(HB_OT_METRICS_TAG_X_HEIGHT),
            .cap_height = get(HB_OT_METRICS_TAG_CAP_HEIGHT),
            .underline_position = get(HB_OT_METRICS_TAG_UNDERLINE_OFFSET),
            .underline_thickness = get(HB_OT_METRICS_TAG_UNDERLINE_SIZE),
            .strikeout_position = get(HB_OT_METRICS_TAG_STRIKEOUT_OFFSET),
            .strikeout_thickness = get(HB_OT_METRICS_TAG_STRIKEOUT_SIZE),
            .subscript_offset = get(HB_OT_METRICS_TAG_SUBSCRIPT_EM_Y_OFFSET),
            .superscript_offset = get(HB_OT_METRICS_TAG_SUPERSCRIPT_EM_Y_OFFSET)};
}

/// Reads the font from FreeType's stream, which has decompressed it.
hb_font_t* shaping_font(FT_Stream stream, std::uint32_t index, const std::vector<Variation>& axes) {
    hb_blob_t* blob = hb_blob_create(reinterpret_cast<const char*>(stream->base), static_cast<unsigned>(stream->size),
                                     HB_MEMORY_MODE_READONLY, nullptr, nullptr);
    hb_face_t* face = hb_face_create(blob, index);
    hb_blob_destroy(blob);
    hb_font_t* font = hb_font_create(face);
    hb_face_destroy(face);
    hb_font_set_scale(font, Font::Face::units, Font::Face::units);
    std::vector<float> values;
    for (const Variation& axis : axes) {
        values.push_back(axis.value);
    }
    hb_font_set_var_coords_design(font, values.data(), static_cast<unsigned>(values.size()));
    hb_font_make_immutable(font);
    return font;
}

/// Receives the outline of a glyph from FreeType, in units of 1/64 font unit.
struct PathSink {
    paths::Path path;
    float scale = 1;
    bool is_open = false;
    [[nodiscard]] paths::Point point(const FT_Vector* p) const {
        return {static_cast<float>(p->x) * scale, -static_cast<float>(p->y) * scale};
    }
    void close() {
        if (std::exchange(is_open, false)) {
            path.close();
        }
    }
};

paths::Path read_outline(FT_Outline& outline, float scale) {
    FT_Outline_Funcs funcs{};
    funcs.move_to = [](const FT_Vector* to, void* user) {
        auto& sink = *static_cast<PathSink*>(user);
        sink.close();
        sink.path.move_to(sink.point(to));
        sink.is_open = true;
        return 0;
    };
    funcs.line_to = [](const FT_Vector* to, void* user) {
        auto& sink = *static_cast<PathSink*>(user);
        sink.path.line_to(sink.point(to));
        return 0;
    };
    funcs.conic_to = [](const FT_Vector* control, const FT_Vector* to, void* user) {
        auto& sink = *static_cast<PathSink*>(user);
        sink.path.quad_to(sink.point(control), sink.point(to));
        return 0;
    };
    funcs.cubic_to = [](const FT_Vector* first, const FT_Vector* second, const FT_Vector* to, void* user) {
        auto& sink = *static_cast<PathSink*>(user);
        sink.path.cubic_to(sink.point(first), sink.point(second), sink.point(to));
        return 0;
    };
    PathSink sink{.scale = scale};
    if (FT_Outline_Decompose(&outline, &funcs, &sink) != 0) {
        return {};
    }
    sink.close();
    return sink.path;
}

} // namespace

Font::Face::~Face() {
    hb_font_destroy(hb);
    hb_blob_destroy(colr);
    for (const FT_Face face : {ft, bitmaps}) {
        if (face != nullptr) {
            FT_Done_Face(face);
        }
    }
    if (library != nullptr) {
        FT_Done_FreeType(library);
    }
}

Result<Font> open_font(std::shared_ptr<const std::vector<std::uint8_t>> bytes, std::uint32_t index,
                       std::span<const Variation> variations, std::vector<CharacterRange> characters) {
    auto face = std::make_shared<Font::Face>();
    face->bytes = std::move(bytes);
    face->characters = std::move(characters);
    if (FT_Init_FreeType(&face->library) != 0) {
        return tl::unexpected(Error{ErrorCode::out_of_memory, "FreeType cannot be initialized"});
    }
    face->ft = open_face(face->library, *face->bytes, index, false);
    if (face->ft != nullptr && FT_HAS_COLOR(face->ft) && select_bitmaps(face->ft)) {
        face->bitmaps = std::exchange(face->ft, open_face(face->library, *face->bytes, index, true));
    }
    if (face->ft == nullptr) {
        return damaged("its format is unknown, it is damaged, or it has no font of this number");
    }
    if (!set_size(face->ft) && face->bitmaps == nullptr) {
        return damaged("it has neither outlines nor color bitmaps");
    }
    face->axes = set_axes(face->library, face->ft, variations);
    face->hb = shaping_font(face->ft->stream, index & 0xFFFF, face->axes);
    if (hb_face_get_glyph_count(hb_font_get_face(face->hb)) == 0) { // Type 1
        return damaged("HarfBuzz does not know its format");
    }
    face->colr = hb_face_reference_table(hb_font_get_face(face->hb), HB_TAG('C', 'O', 'L', 'R'));
    face->has_svg_glyphs = hb_ot_color_has_svg(hb_font_get_face(face->hb)) != 0;
    face->family = face->ft->family_name != nullptr ? face->ft->family_name : "";
    face->metrics = metrics_of(face->hb);
    return Font(std::shared_ptr<const Font::Face>(std::move(face)));
}

Result<Font> Font::from_memory(std::vector<std::uint8_t> bytes, std::uint32_t index,
                               std::span<const Variation> variations) {
    return open_font(std::make_shared<const std::vector<std::uint8_t>>(std::move(bytes)), index & 0xFFFF, variations);
}

const std::string& Font::family() const {
    return face_->family;
}

const Metrics& Font::metrics() const {
    return face_->metrics;
}

std::uint32_t Font::Face::glyph_of(char32_t character) const {
    const auto is_in = [&](const CharacterRange& range) { return character >= range.first && character <= range.last; };
    hb_codepoint_t glyph = missing_glyph;
    if (characters.empty() || std::any_of(characters.begin(), characters.end(), is_in)) {
        hb_font_get_nominal_glyph(hb, character, &glyph);
    }
    return glyph;
}

bool Font::has(char32_t character) const {
    return face_->glyph_of(character) != missing_glyph;
}

std::uint32_t Font::glyph_count() const {
    return static_cast<std::uint32_t>(std::max<FT_Long>(0, face_->ft->num_glyphs));
}

std::vector<Variation> Font::axes() const {
    return face_->axes;
}

const paths::Path& Font::Face::outline(std::uint32_t glyph) const {
    const auto [found, is_new] = outlines.try_emplace(glyph);
    if (is_new && static_cast<FT_Long>(glyph) < ft->num_glyphs && FT_IS_SCALABLE(ft) &&
        FT_Load_Glyph(ft, glyph, FT_LOAD_NO_HINTING | FT_LOAD_NO_BITMAP) == 0 &&
        ft->glyph->format == FT_GLYPH_FORMAT_OUTLINE) {
        found->second = read_outline(ft->glyph->outline, 1 / (64 * static_cast<float>(ft->units_per_EM)));
    }
    return found->second;
}

const paths::Path& Font::outline(std::uint32_t glyph) const {
    const std::lock_guard lock(face_->mutex);
    return face_->outline(glyph);
}

} // namespace weir::text
