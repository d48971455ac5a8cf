#include "svg/images.hpp"

#include <algorithm>
#include <csetjmp>
#include <cstdio> // needed by jpeglib.h
#include <fstream>

#include <jpeglib.h>
#include <png.h>

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
    std::optional<Raster> raster;
    if (std::uint64_t{image.width} * image.height <= most_pixels) {
        raster = Raster{image.width, image.height, std::vector<std::uint8_t>(PNG_IMAGE_SIZE(image))};
        if (png_image_finish_read(&image, nullptr, raster->pixels.data(), 0, nullptr) == 0) {
            raster.reset();
        }
    }
    png_image_free(&image);
    return raster;
}

/// Error handler that leaves libjpeg by longjmp, because libjpeg's handlers must not return.
struct JpegErrors {
    jpeg_error_mgr manager; ///< must be first: libjpeg has a pointer to this member only
    std::jmp_buf failed;
};

/// Errors leave this function by longjmp, so it must not have objects with destructors.
bool decompress(jpeg_decompress_struct& read, JpegErrors& errors, std::string_view bytes, Raster& raster) {
    if (setjmp(errors.failed) != 0) {
        return false;
    }
    jpeg_mem_src(&read, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
    jpeg_read_header(&read, TRUE);
    if (std::uint64_t{read.image_width} * read.image_height > most_pixels) {
        return false;
    }
    read.out_color_space = JCS_EXT_RGBA;
    jpeg_start_decompress(&read);
    raster.width = read.output_width;
    raster.height = read.output_height;
    raster.pixels.resize(std::size_t{raster.width} * raster.height * 4);
    while (read.output_scanline < read.output_height) {
        JSAMPROW row = &raster.pixels[std::size_t{read.output_scanline} * raster.width * 4];
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

} // namespace

bool Raster::is_opaque() const {
    for (std::size_t i = 3; i < pixels.size(); i += 4) {
        if (pixels[i] != 255) {
            return false;
        }
    }
    return true;
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
    if (bytes.starts_with("\x89PNG")) {
        return read_png(bytes);
    }
    if (bytes.starts_with("\xFF\xD8")) {
        return read_jpeg(bytes);
    }
    return {};
}

Raster reduced(const Raster& raster, std::uint32_t most) {
    Raster small{std::min(raster.width, most), std::min(raster.height, most), {}};
    if (small.width == raster.width && small.height == raster.height) {
        return raster;
    }
    small.pixels.resize(std::size_t{small.width} * small.height * 4);
    const auto part = [](std::uint32_t i, std::uint32_t from, std::uint32_t to) {
        return static_cast<std::uint32_t>(std::uint64_t{i} * from / to);
    };
    for (std::uint32_t y = 0; y < small.height; ++y) {
        for (std::uint32_t x = 0; x < small.width; ++x) {
            std::uint64_t sum[4] = {}, count = 0; // sums of premultiplied colors and of alpha
            for (std::uint32_t v = part(y, raster.height, small.height); v < part(y + 1, raster.height, small.height);
                 ++v) {
                for (std::uint32_t u = part(x, raster.width, small.width); u < part(x + 1, raster.width, small.width);
                     ++u) {
                    const std::uint8_t* pixel = &raster.pixels[(std::size_t{v} * raster.width + u) * 4];
                    for (int c = 0; c < 3; ++c) {
                        sum[c] += std::uint64_t{pixel[c]} * pixel[3];
                    }
                    sum[3] += pixel[3];
                    ++count;
                }
            }
            std::uint8_t* pixel = &small.pixels[(std::size_t{y} * small.width + x) * 4];
            for (int c = 0; c < 3; ++c) {
                pixel[c] = static_cast<std::uint8_t>(sum[3] == 0 ? 0 : (sum[c] + sum[3] / 2) / sum[3]);
            }
            pixel[3] = static_cast<std::uint8_t>((sum[3] + count / 2) / count);
        }
    }
    return small;
}

void spread_colors(Raster& raster) {
    const std::vector<std::uint8_t> before = raster.pixels;
    for (std::uint32_t y = 0; y < raster.height; ++y) {
        for (std::uint32_t x = 0; x < raster.width; ++x) {
            const std::size_t at = (std::size_t{y} * raster.width + x) * 4;
            if (before[at + 3] != 0) {
                continue;
            }
            std::uint32_t sum[4] = {};
            for (std::uint32_t v = y == 0 ? 0 : y - 1; v < std::min(raster.height, y + 2); ++v) {
                for (std::uint32_t u = x == 0 ? 0 : x - 1; u < std::min(raster.width, x + 2); ++u) {
                    const std::uint8_t* pixel = &before[(std::size_t{v} * raster.width + u) * 4];
                    for (int c = 0; c < 3; ++c) {
                        sum[c] += std::uint32_t{pixel[c]} * pixel[3];
                    }
                    sum[3] += pixel[3];
                }
            }
            for (std::size_t c = 0; c < 3 && sum[3] != 0; ++c) {
                raster.pixels[at + c] = static_cast<std::uint8_t>(sum[c] / sum[3]);
            }
        }
    }
}

} // namespace weir::svg
