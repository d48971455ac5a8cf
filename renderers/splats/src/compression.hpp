#pragma once

#include <memory>

#include "source.hpp"

namespace weir::splats {

enum class Deflated : std::uint8_t { raw, gzip };

/// Inflates the first `size` bytes of a stream. Errors: `io` if the stream is damaged or shorter.
Result<std::vector<std::byte>> inflate(Bytes bytes, Deflated kind, std::size_t size);
/// Compresses bytes as a gzip file.
Result<std::vector<std::byte>> gzip(Bytes bytes);

/// Decompresses a zstd stream of exactly out.size() bytes.
Result<> unzstd(Bytes bytes, std::span<std::byte> out);
Result<std::vector<std::byte>> zstd(Bytes bytes);

/// Pixels of a picture: 4 bytes each, R, G, B, A.
struct Pixels {
    std::uint32_t width = 0, height = 0;
    std::shared_ptr<std::uint8_t> bytes;

    [[nodiscard]] std::uint64_t count() const { return std::uint64_t{width} * height; }
    [[nodiscard]] std::uint8_t at(std::size_t pixel, std::size_t channel) const {
        return bytes.get()[pixel * 4 + channel];
    }
};

/// Decodes a WebP picture of at most 2^26 pixels.
Result<Pixels> unwebp(Bytes bytes);

} // namespace weir::splats
