// .spz of Niantic, https://github.com/nianticlabs/spz. Versions 2 and 3: one gzip stream with a header of 16 bytes and
// the attributes one after the other. Version 4: a header of 32 bytes, extensions, a table, and a zstd stream per
// attribute. Attributes: positions (24-bit fixed point), opacities, colors, scales (logarithms), rotations, harmonics.

#include <algorithm>
#include <array>
#include <memory>

#include "axes.hpp"
#include "compression.hpp"
#include "parallel.hpp"
#include "propagate.hpp"

namespace weir::splats {

namespace {

constexpr std::uint32_t spz_magic = 0x5053474E; // "NGSP"
constexpr std::size_t gzip_header = 16, zstd_header = 32;
constexpr std::uint8_t antialiased_flag = 1, extensions_flag = 2;
constexpr float spz_color_scale = 0.15F; // scale of coefficients of degree 0
constexpr float half_root = 0.70710678F;

/// Header and attributes of a file.
struct SpzFile {
    std::uint32_t version = 0, splats = 0, degree = 0, fraction_bits = 0, flags = 0;
    float unit = 1;                               ///< unit of positions
    Vec3 signs{1, -1, -1};                        ///< signs of the axes, from x right, y up, z back
    std::vector<std::byte> bytes;                 ///< the attributes
    std::array<const std::byte*, 6> attributes{}; ///< positions, opacities, colors, scales, rotations, harmonics

    /// Returns the bytes per splat of each attribute.
    [[nodiscard]] std::array<std::size_t, 6> sizes() const {
        return {9, 1, 3, 3, version == 2 ? std::size_t{3} : std::size_t{4}, std::size_t{3} * coefficients_of(degree)};
    }
    [[nodiscard]] std::uint64_t size() const {
        std::uint64_t sum = 0;
        for (const std::size_t size : sizes()) {
            sum += size;
        }
        return sum * splats;
    }
    /// Sets `attributes` for attributes that begin at `begin` of `bytes`.
    void place_attributes(std::size_t begin) {
        const std::byte* at = bytes.data() + begin;
        for (std::size_t i = 0; i < attributes.size(); ++i) {
            attributes[i] = at;
            at += sizes()[i] * splats;
        }
    }
};

Result<SpzFile> read_spz_header(Bytes bytes) {
    SpzFile file{.version = load<std::uint32_t>(&bytes[4])};
    if (load<std::uint32_t>(bytes.data()) != spz_magic) {
        return invalid_file("the gzip file is not an SPZ file");
    }
    const auto count = checked_count("SPZ", load<std::uint32_t>(&bytes[8]));
    SPLATS_PROPAGATE(count);
    file.splats = *count;
    file.degree = load<std::uint8_t>(&bytes[12]);
    file.fraction_bits = load<std::uint8_t>(&bytes[13]);
    file.flags = load<std::uint8_t>(&bytes[14]);
    if (file.version < 2 || file.version > 4) {
        return invalid_file("the SPZ file has version " + std::to_string(file.version) + "; 2 to 4 are supported");
    }
    if (file.degree > 4) {
        return invalid_file("the SPZ file has harmonics of degree " + std::to_string(file.degree) +
                            "; the maximum is 4");
    }
    if (file.fraction_bits > 30) {
        return invalid_file("the SPZ file has positions with " + std::to_string(file.fraction_bits) +
                            " bits of fraction; the maximum is 30");
    }
    file.unit = std::ldexp(1.0F, -static_cast<int>(file.fraction_bits));
    return file;
}

/// Reads the axes of extension SPZ_ADOBE_coordinate_system, a number from 1 to 8 whose bits minus 1 are: x to the
/// right, y up, z to the front. From 9 on, y and z are exchanged.
Result<> read_spz_extensions(Bytes bytes, SpzFile& file) {
    constexpr std::uint32_t axes_extension = 0xADBE0003;
    while (bytes.size() >= 8) {
        const auto type = load<std::uint32_t>(bytes.data()), size = load<std::uint32_t>(&bytes[4]);
        bytes = bytes.subspan(8);
        if (size > bytes.size()) {
            return invalid_file("the SPZ file has an extension of " + std::to_string(size) +
                                " bytes, which do not fit");
        }
        if (type == axes_extension && size >= 4) {
            const auto axes = load<std::uint32_t>(bytes.data());
            if (axes > 8) {
                return invalid_file("the SPZ file has the coordinate system " + std::to_string(axes) +
                                    "; 1 to 8 are supported");
            }
            for (std::size_t i = 0; i < 3 && axes != 0; ++i) {
                constexpr std::uint32_t right_down_front = 6 - 1;
                file.signs[i] = ((axes - 1) ^ right_down_front) >> i & 1 ? -1.0F : 1.0F;
            }
        }
        bytes = bytes.subspan(size);
    }
    return {};
}

Result<SpzFile> read_gzip_spz(Bytes bytes) {
    const auto header = inflate(bytes, Deflated::gzip, gzip_header);
    SPLATS_PROPAGATE(header);
    auto file = read_spz_header(*header);
    SPLATS_PROPAGATE(file);
    if (file->version == 4) {
        return invalid_file("the SPZ file has version 4 and is compressed with gzip");
    }
    constexpr std::uint64_t best_ratio = 1032; // maximum of the method
    if (file->size() / best_ratio > bytes.size()) {
        return invalid_file("the SPZ file is too short for " + std::to_string(file->splats) + " splats");
    }
    auto whole = inflate(bytes, Deflated::gzip, gzip_header + static_cast<std::size_t>(file->size()));
    SPLATS_PROPAGATE(whole);
    file->bytes = std::move(*whole);
    file->place_attributes(gzip_header);
    if ((file->flags & extensions_flag) != 0) {
        constexpr std::size_t extension = 12; // the axes, if they come first
        auto longer = inflate(bytes, Deflated::gzip, file->bytes.size() + extension);
        if (longer) {
            SPLATS_PROPAGATE(read_spz_extensions(Bytes(*longer).subspan(file->bytes.size()), *file));
        }
    }
    return file;
}

Result<SpzFile> read_zstd_spz(Bytes bytes, std::uint32_t threads) {
    if (bytes.size() < zstd_header) {
        return invalid_file("the SPZ file is shorter than its header");
    }
    auto file = read_spz_header(bytes);
    SPLATS_PROPAGATE(file);
    constexpr std::uint64_t best_ratio = 1024; // as the reference implementation: more splats are taken for damage
    if (std::uint64_t{file->splats} * 9 / best_ratio > bytes.size()) {
        return invalid_file("the SPZ file is too short for " + std::to_string(file->splats) + " splats");
    }
    const std::uint32_t streams = load<std::uint8_t>(&bytes[15]), expected = file->degree == 0 ? 5 : 6;
    const auto table = load<std::uint32_t>(&bytes[16]);
    std::size_t at = table + std::size_t{16} * streams;
    if (streams != expected || table < zstd_header || at > bytes.size()) {
        return invalid_file("the table of the SPZ file is damaged");
    }
    if ((file->flags & extensions_flag) != 0) {
        SPLATS_PROPAGATE(read_spz_extensions(bytes.subspan(zstd_header, table - zstd_header), *file));
    }
    std::array<Bytes, 6> packed;
    for (std::size_t i = 0; i < streams; ++i) {
        const auto size = load<std::uint64_t>(&bytes[table + 16 * i]),
                   unpacked = load<std::uint64_t>(&bytes[table + 16 * i + 8]);
        if (size > bytes.size() - at || unpacked != file->sizes()[i] * file->splats) {
            return invalid_file("the SPZ file is incomplete, or its table is damaged");
        }
        packed[i] = bytes.subspan(at, static_cast<std::size_t>(size));
        at += static_cast<std::size_t>(size);
    }
    file->bytes.resize(static_cast<std::size_t>(file->size()));
    file->place_attributes(0);
    std::array<Result<>, 6> done;
    run_parallel(threads, streams, [&](std::uint32_t i) {
        auto* const out = file->bytes.data() + (file->attributes[i] - file->bytes.data());
        done[i] = unzstd(packed[i], {out, file->sizes()[i] * file->splats});
    });
    for (const auto& one : done) {
        SPLATS_PROPAGATE(one);
    }
    return file;
}

/// Returns a rotation whose largest component, named by the highest 2 bits, is not stored. 10 bits each: a sign and a
/// fraction of the square root of 1/2. The order is x, y, z, w, from the highest bits.
Quaternion smallest_three(std::uint32_t word) {
    Quaternion rotation{};
    const std::uint32_t largest = word >> 30;
    float rest = 1;
    for (std::uint32_t i = 4; i-- > 0;) {
        if (i != largest) {
            const float size = half_root * static_cast<float>(word & 511) / 511;
            rotation[(i + 1) % 4] = (word & 512) != 0 ? -size : size;
            rest -= size * size;
            word >>= 10;
        }
    }
    rotation[(largest + 1) % 4] = std::sqrt(std::max(0.0F, rest));
    return rotation;
}

/// Returns the rotation of version 2: x, y and z, each from -1 to 1.
Quaternion first_three(const std::byte* at) {
    Quaternion rotation{};
    float rest = 1;
    for (std::size_t i = 0; i < 3; ++i) {
        rotation[i + 1] = byte_at(at + i) / 127.5F - 1;
        rest -= rotation[i + 1] * rotation[i + 1];
    }
    rotation[0] = std::sqrt(std::max(0.0F, rest));
    return rotation;
}

Splat splat_of_spz(const SpzFile& file, std::size_t index) {
    const auto [positions, opacities, colors, scales, rotations, harmonics] = file.attributes;
    Splat splat;
    for (std::size_t i = 0; i < 3; ++i) {
        std::array<std::byte, 4> fixed{};
        std::memcpy(fixed.data() + 1, positions + 9 * index + 3 * i, 3); // the sign is now that of the word
        splat.mean[i] = file.unit * static_cast<float>(load<std::int32_t>(fixed.data()) >> 8);
        splat.scale[i] = std::exp(byte_at(scales + 3 * index + i) / 16 - 10);
        splat.color[i] = (byte_at(colors + 3 * index + i) / 255 - 0.5F) / spz_color_scale;
    }
    splat.opacity = byte_at(opacities + index) / 255;
    splat.rotation = file.version == 2 ? first_three(rotations + 3 * index)
                                       : smallest_three(load<std::uint32_t>(rotations + 4 * index));
    const std::size_t stored = coefficients_of(file.degree);
    for (std::size_t i = 0; i < std::min(stored, splat.harmonics.size()); ++i) {
        for (std::size_t color = 0; color < 3; ++color) {
            splat.harmonics[i][color] = (byte_at(harmonics + 3 * (stored * index + i) + color) - 128) / 128;
        }
    }
    return splat;
}

} // namespace

Result<SplatSource> open_spz(Bytes bytes, const ReadOptions& options) {
    const bool is_gzip = bytes[0] == std::byte{0x1F};
    auto read = is_gzip ? read_gzip_spz(bytes) : read_zstd_spz(bytes, options.threads);
    SPLATS_PROPAGATE(read);
    const auto file = std::make_shared<SpzFile>(std::move(*read));
    SplatSource source{.format = CloudFormat::spz,
                       .splats = file->splats,
                       .degree = std::min(file->degree, 3U),
                       .is_antialiased = (file->flags & antialiased_flag) != 0};
    source.decode = [file, keep_axes = options.keep_axes](std::uint32_t first, std::span<Splat> splats) {
        for (std::size_t i = 0; i < splats.size(); ++i) {
            splats[i] = splat_of_spz(*file, first + i);
            if (!keep_axes) {
                flip_axes(file->signs, splats[i]);
            }
        }
    };
    return source;
}

} // namespace weir::splats
