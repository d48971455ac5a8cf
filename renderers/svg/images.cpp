#include "svg/images.hpp"

#include <algorithm>
#include <csetjmp>
#include <cstdio> // needed by jpeglib.h
#include <fstream>
#include <iterator>
#include <utility>
#include <vector>

#include <jpeglib.h>
#include <png.h>
#if WEIR_SVG_GIF
#include <gif_lib.h>
#endif
#if WEIR_SVG_WEBP
#include <webp/decode.h>
#endif
#include <weir/paths/scene.hpp>

#include "svg/syntax.hpp"

namespace weir::svg {

namespace {

constexpr std::uint64_t most_pixels = std::uint64_t{1} << 26, most_file_bytes = most_pixels;

std::string from_base64(std::string_view text) {
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string bytes;
    std::uint32_t bits = 0, count = 0;
    for (const char c : text) {
        const std::size_t digit = digits.find(c);
        if (digit == std::string_view::npos) { // white space or padding
            continue;
        }
        bits = bits << 6 | static_cast<std::uint32_t>(digit);
        count += 6;
        if (count >= 8) {
            count -= 8;
            bytes += static_cast<char>(bits >> count & 0xFF);
        }
    }
    return bytes;
}

std::string from_percents(std::string_view text) {
    std::string bytes;
    for (std::size_t i = 0; i < text.size(); ++i) {
        constexpr std::string_view digits = "0123456789abcdef";
        const std::string code = text[i] == '%' ? lower(text.substr(i + 1, 2)) : std::string();
        const std::size_t high = code.size() == 2 ? digits.find(code[0]) : std::string_view::npos;
        const std::size_t low = code.size() == 2 ? digits.find(code[1]) : std::string_view::npos;
        if (high == std::string_view::npos || low == std::string_view::npos) {
            bytes += text[i];
        } else {
            bytes += static_cast<char>(high * 16 + low);
            i += 2;
        }
    }
    return bytes;
}

std::optional<Raster> read_png(std::string_view bytes) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    if (png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()) == 0) {
        return {};
    }
    image.format = PNG_FORMAT_RGBA;
    image.flags |= PNG_IMAGE_FLAG_16BIT_sRGB; // without it, libpng takes 16 bits per component as linear
    std::optional<Raster> raster = blank_raster(image.width, image.height);
    if (raster && png_image_finish_read(&image, nullptr, raster->row(0), 0, nullptr) == 0) {
        raster.reset();
    }
    png_image_free(&image);
    return raster;
}

/// Error handler that leaves libjpeg by longjmp, because libjpeg's handlers must not return.
struct JpegErrors {
    jpeg_error_mgr manager; ///< must be first: libjpeg has a pointer to this member only
    std::jmp_buf failed;
};

bool assign_blank(Raster& raster, std::uint64_t width, std::uint64_t height) {
    auto blank = blank_raster(width, height);
    if (blank) {
        raster = std::move(*blank);
    }
    return blank.has_value();
}

/// Errors leave this function by longjmp, so it must not have objects with destructors.
bool decompress(jpeg_decompress_struct& read, JpegErrors& errors, std::string_view bytes, Raster& raster) {
    if (setjmp(errors.failed) != 0) {
        return false;
    }
    jpeg_mem_src(&read, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
    jpeg_read_header(&read, TRUE);
    if (!assign_blank(raster, read.image_width, read.image_height)) {
        return false;
    }
    read.out_color_space = JCS_EXT_RGBA;
    jpeg_start_decompress(&read);
    while (read.output_scanline < read.output_height) {
        JSAMPROW row = raster.row(read.output_scanline);
        jpeg_read_scanlines(&read, &row, 1);
    }
    jpeg_finish_decompress(&read);
    return true;
}

std::optional<Raster> read_jpeg(std::string_view bytes) {
    JpegErrors errors{};
    jpeg_decompress_struct read{};
    read.err = jpeg_std_error(&errors.manager);
    errors.manager.error_exit = [](j_common_ptr common) {
        std::longjmp(reinterpret_cast<JpegErrors*>(common->err)->failed, 1);
    };
    errors.manager.emit_message = [](j_common_ptr, int) {};
    jpeg_create_decompress(&read);
    Raster raster;
    const bool is_read = decompress(read, errors, bytes, raster);
    jpeg_destroy_decompress(&read);
    return is_read ? std::optional(std::move(raster)) : std::nullopt;
}

#if WEIR_SVG_GIF
/// Bytes that libgif reads.
struct GifBytes {
    std::string_view rest;
};

int read_gif_bytes(GifFileType* gif, GifByteType* to, int count) {
    std::string_view& rest = static_cast<GifBytes*>(gif->UserData)->rest;
    const std::size_t size = std::min(rest.size(), static_cast<std::size_t>(std::max(0, count)));
    std::copy_n(rest.begin(), size, to);
    rest.remove_prefix(size);
    return static_cast<int>(size);
}

/// Reads the records before the first picture. Returns the index of the transparent color, -1 if there is none, or
/// nullopt if there is no picture.
std::optional<int> read_to_picture(GifFileType* gif) {
    int transparent = NO_TRANSPARENT_COLOR;
    GifRecordType type = UNDEFINED_RECORD_TYPE;
    while (DGifGetRecordType(gif, &type) == GIF_OK) {
        if (type == IMAGE_DESC_RECORD_TYPE) {
            return DGifGetImageDesc(gif) == GIF_OK ? std::optional(transparent) : std::nullopt;
        }
        int code = 0;
        GifByteType* extension = nullptr;
        if (type != EXTENSION_RECORD_TYPE || DGifGetExtension(gif, &code, &extension) != GIF_OK) {
            return {};
        }
        while (extension != nullptr) {
            GraphicsControlBlock block{};
            if (code == GRAPHICS_EXT_FUNC_CODE && DGifExtensionToGCB(extension[0], extension + 1, &block) == GIF_OK) {
                transparent = block.TransparentColor;
            }
            if (DGifGetExtensionNext(gif, &extension) != GIF_OK) {
                return {};
            }
        }
    }
    return {};
}

/// Reads the first picture into its place.
bool read_picture(GifFileType* gif, int transparent, Raster& raster) {
    const GifImageDesc& picture = gif->Image;
    const ColorMapObject* colors = picture.ColorMap != nullptr ? picture.ColorMap : gif->SColorMap;
    if (colors == nullptr || picture.Width <= 0 || picture.Height <= 0 || picture.Left < 0 || picture.Top < 0 ||
        !blank_raster(static_cast<std::uint64_t>(picture.Width), static_cast<std::uint64_t>(picture.Height))) {
        return false;
    }
    std::vector<GifPixelType> line(static_cast<std::size_t>(picture.Width));
    const auto read_rows = [&](int first, int step) {
        for (int row = first; row < picture.Height; row += step) {
            if (DGifGetLine(gif, line.data(), picture.Width) != GIF_OK) {
                return false;
            }
            const auto y = static_cast<std::uint32_t>(picture.Top + row);
            for (int x = 0; x < picture.Width && y < raster.height; ++x) {
                const auto column = static_cast<std::uint32_t>(picture.Left + x);
                const int index = line[static_cast<std::size_t>(x)];
                if (column < raster.width && index != transparent && index < colors->ColorCount) {
                    const GifColorType& color = colors->Colors[index];
                    const std::uint8_t bytes[] = {color.Red, color.Green, color.Blue, 255};
                    std::copy_n(bytes, 4, raster.row(y) + std::size_t{column} * 4);
                }
            }
        }
        return true;
    };
    return picture.Interlace ? read_rows(0, 8) && read_rows(4, 8) && read_rows(2, 4) && read_rows(1, 2)
                             : read_rows(0, 1);
}

std::optional<Raster> read_gif(std::string_view bytes) {
    GifBytes source{bytes};
    GifFileType* gif = DGifOpen(&source, read_gif_bytes, nullptr);
    if (gif == nullptr) {
        return {};
    }
    auto raster = blank_raster(static_cast<std::uint64_t>(std::max(0, gif->SWidth)),
                               static_cast<std::uint64_t>(std::max(0, gif->SHeight)));
    const auto transparent = raster ? read_to_picture(gif) : std::nullopt;
    if (!transparent || !read_picture(gif, *transparent, *raster)) {
        raster.reset();
    }
    DGifCloseFile(gif, nullptr);
    return raster;
}
#else
constexpr std::optional<Raster> (*read_gif)(std::string_view) = nullptr;
#endif

#if WEIR_SVG_WEBP
std::optional<Raster> read_webp(std::string_view bytes) {
    const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
    int width = 0, height = 0;
    if (WebPGetInfo(data, bytes.size(), &width, &height) == 0) {
        return {};
    }
    auto raster = blank_raster(static_cast<std::uint64_t>(width), static_cast<std::uint64_t>(height));
    if (raster &&
        WebPDecodeRGBAInto(data, bytes.size(), raster->row(0), raster->pixels.size() * 4, width * 4) == nullptr) {
        raster.reset();
    }
    return raster;
}
#else
constexpr std::optional<Raster> (*read_webp)(std::string_view) = nullptr;
#endif

/// A format that is recognized by the bytes at its beginning.
struct Format {
    std::string_view name;
    std::size_t offset;
    std::string_view magic;
    std::optional<Raster> (*read)(std::string_view bytes); ///< null: not available
};

constexpr Format formats[] = {
    {"PNG", 0, "\x89PNG", read_png},  {"JPEG", 0, "\xFF\xD8", read_jpeg}, {"GIF", 0, "GIF8", read_gif},
    {"WebP", 8, "WEBP", read_webp},   {"AVIF", 4, "ftypavif", nullptr},   {"AVIF", 4, "ftypavis", nullptr},
    {"HEIF", 4, "ftypheic", nullptr}, {"HEIF", 4, "ftypmif1", nullptr},   {"BMP", 0, "BM", nullptr},
    {"TIFF", 0, "II*", nullptr},      {"TIFF", 0, "MM", nullptr},         {"JPEG XL", 0, "\xFF\x0A", nullptr},
    {"JPEG XL", 4, "JXL ", nullptr},
};

/// Returns null if the format is not known.
const Format* format_of(std::string_view bytes) {
    const auto* found = std::find_if(std::begin(formats), std::end(formats), [&](const Format& format) {
        return bytes.size() > format.offset && bytes.substr(format.offset).starts_with(format.magic);
    });
    return found == std::end(formats) ? nullptr : found;
}

} // namespace

std::optional<Raster> blank_raster(std::uint64_t width, std::uint64_t height) {
    if (width == 0 || height == 0 || width > weir::paths::max_bitmap_size || height > weir::paths::max_bitmap_size ||
        width * height > most_pixels) {
        return {};
    }
    return Raster{static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height),
                  std::vector<std::uint32_t>(width * height)};
}

std::optional<std::string> data_of_url(std::string_view url) {
    url = trimmed(url);
    const std::size_t comma = url.find(',');
    if (lower(url.substr(0, 5)) != "data:" || comma == std::string_view::npos) {
        return {};
    }
    const bool is_base64 = lower(trimmed(url.substr(0, comma))).ends_with("base64");
    const std::string bytes = from_percents(url.substr(comma + 1));
    return is_base64 ? from_base64(bytes) : bytes;
}

std::optional<std::string> data_of_file(std::string_view link, const std::filesystem::path& folder) {
    link = trimmed(link);
    if (link.empty() || link.find(':') != std::string_view::npos) {
        return {};
    }
    const std::string name = from_percents(link);
    std::error_code error;
    const auto inside = std::filesystem::canonical(folder, error);
    const auto path = error ? std::filesystem::path()
                            : std::filesystem::canonical(inside / std::u8string(name.begin(), name.end()), error);
    if (error || std::mismatch(inside.begin(), inside.end(), path.begin(), path.end()).first != inside.end() ||
        !std::filesystem::is_regular_file(path, error)) {
        return {};
    }
    const std::uintmax_t size = std::filesystem::file_size(path, error);
    std::ifstream file(path, std::ios::binary);
    if (error || size > most_file_bytes || !file) {
        return {};
    }
    std::string bytes(size, '\0');
    file.read(bytes.data(), static_cast<std::streamsize>(size));
    return file ? std::optional(std::move(bytes)) : std::nullopt;
}

std::optional<Raster> read_raster(std::string_view bytes) {
    const Format* format = format_of(bytes);
    return format != nullptr && format->read != nullptr ? format->read(bytes) : std::nullopt;
}

std::string_view unreadable_format(std::string_view bytes) {
    const Format* format = format_of(bytes);
    return format != nullptr && format->read == nullptr ? format->name : std::string_view();
}

} // namespace weir::svg
