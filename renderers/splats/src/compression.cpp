// Calls of zlib, zstd and libwebp. Each is optional.

#include "compression.hpp"

#include <algorithm>
#include <limits>

#if WEIR_SPLATS_ZLIB
#include <zlib.h>
#endif
#if WEIR_SPLATS_ZSTD
#include <zstd.h>
#endif
#if WEIR_SPLATS_WEBP
#include <webp/decode.h>
#endif

namespace weir::splats {

namespace {

[[maybe_unused]] tl::unexpected<Error> missing_library(const char* library, const char* package) {
    return tl::unexpected(
        Error{ErrorCode::unsupported, std::string("the file needs ") + library +
                                          ", which was missing when Weir was built (Debian: " + package + ")"});
}

} // namespace

#if WEIR_SPLATS_ZLIB

Result<std::vector<std::byte>> inflate(Bytes bytes, Deflated kind, std::size_t size) {
    z_stream stream{};
    if (inflateInit2(&stream, kind == Deflated::gzip ? 16 + MAX_WBITS : -MAX_WBITS) != Z_OK) {
        return tl::unexpected(Error{ErrorCode::out_of_memory, "zlib cannot allocate memory"});
    }
    const std::unique_ptr<z_stream, int (*)(z_stream*)> end(&stream, inflateEnd);
    constexpr std::size_t most = std::numeric_limits<uInt>::max();
    std::vector<std::byte> out(size);
    std::size_t read = 0, written = 0;
    int status = Z_OK;
    while (status == Z_OK && written < size) {
        const std::size_t in_size = std::min(most, bytes.size() - read), out_size = std::min(most, size - written);
        stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(bytes.data() + read));
        stream.avail_in = static_cast<uInt>(in_size);
        stream.next_out = reinterpret_cast<Bytef*>(out.data() + written);
        stream.avail_out = static_cast<uInt>(out_size);
        status = ::inflate(&stream, Z_NO_FLUSH); // Z_BUF_ERROR at the end of the input
        read += in_size - stream.avail_in;
        written += out_size - stream.avail_out;
    }
    if (written < size) {
        return invalid_file("the compressed data is damaged or incomplete: it has " + std::to_string(written) + " of " +
                            std::to_string(size) + " bytes");
    }
    return out;
}

Result<std::vector<std::byte>> gzip(Bytes bytes) {
    z_stream stream{};
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 16 + MAX_WBITS, 9, Z_DEFAULT_STRATEGY) != Z_OK) {
        return tl::unexpected(Error{ErrorCode::out_of_memory, "zlib cannot allocate memory"});
    }
    const std::unique_ptr<z_stream, int (*)(z_stream*)> end(&stream, deflateEnd);
    constexpr std::size_t part = std::size_t{1} << 30;
    std::vector<std::byte> out;
    std::size_t read = 0, written = 0;
    for (int status = Z_OK; status == Z_OK || status == Z_BUF_ERROR;) {
        if (stream.avail_in == 0) {
            const std::size_t in_size = std::min(part, bytes.size() - read);
            stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(bytes.data() + read));
            stream.avail_in = static_cast<uInt>(in_size);
            read += in_size;
        }
        out.resize(written + std::clamp<std::size_t>(written / 2, 1U << 16, part));
        stream.next_out = reinterpret_cast<Bytef*>(out.data() + written);
        stream.avail_out = static_cast<uInt>(out.size() - written);
        status = deflate(&stream, read == bytes.size() ? Z_FINISH : Z_NO_FLUSH);
        written = out.size() - stream.avail_out;
    }
    out.resize(written);
    return out;
}

#else

Result<std::vector<std::byte>> inflate(Bytes, Deflated, std::size_t) {
    return missing_library("zlib", "zlib1g-dev");
}

Result<std::vector<std::byte>> gzip(Bytes) {
    return missing_library("zlib", "zlib1g-dev");
}

#endif

#if WEIR_SPLATS_ZSTD

Result<> unzstd(Bytes bytes, std::span<std::byte> out) {
    const std::size_t size = ZSTD_decompress(out.data(), out.size(), bytes.data(), bytes.size());
    if (ZSTD_isError(size) != 0 || size != out.size()) {
        return invalid_file("the compressed data is damaged or incomplete");
    }
    return {};
}

Result<std::vector<std::byte>> zstd(Bytes bytes) {
    constexpr int level = 12; // as the reference implementation of .spz
    std::vector<std::byte> out(ZSTD_compressBound(bytes.size()));
    const std::size_t size = ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), level);
    if (ZSTD_isError(size) != 0) {
        return tl::unexpected(Error{ErrorCode::out_of_memory, "zstd cannot allocate memory"});
    }
    out.resize(size);
    return out;
}

#else

Result<> unzstd(Bytes, std::span<std::byte>) {
    return missing_library("zstd", "libzstd-dev");
}

Result<std::vector<std::byte>> zstd(Bytes) {
    return missing_library("zstd", "libzstd-dev");
}

#endif

#if WEIR_SPLATS_WEBP

Result<Pixels> unwebp(Bytes bytes) {
    const auto* const data = reinterpret_cast<const std::uint8_t*>(bytes.data());
    int width = 0, height = 0;
    if (WebPGetInfo(data, bytes.size(), &width, &height) == 0) {
        return invalid_file("a picture of the SOG file is not in WebP format");
    }
    Pixels pixels{.width = static_cast<std::uint32_t>(width), .height = static_cast<std::uint32_t>(height)};
    if (pixels.count() > most_splats) {
        return invalid_file("a picture of the SOG file has " + std::to_string(width) + " x " + std::to_string(height) +
                            " pixels; the maximum is 2^26");
    }
    pixels.bytes = {WebPDecodeRGBA(data, bytes.size(), &width, &height),
                    [](std::uint8_t* decoded) { WebPFree(decoded); }};
    if (pixels.bytes == nullptr) {
        return invalid_file("a picture of the SOG file is damaged or incomplete");
    }
    return pixels;
}

#else

Result<Pixels> unwebp(Bytes) {
    return missing_library("libwebp", "libwebp-dev");
}

#endif

} // namespace weir::splats
