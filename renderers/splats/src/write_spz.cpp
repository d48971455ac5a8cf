// Writes .spz; see spz.cpp for the format.

#include <algorithm>
#include <array>
#include <cmath>

#include "axes.hpp"
#include "compression.hpp"
#include "parallel.hpp"
#include "propagate.hpp"

namespace weir::splats {

namespace {

std::byte rounded_byte(float number) {
    return static_cast<std::byte>(std::lround(std::clamp(number, 0.0F, 255.0F)));
}

/// Rounds a coefficient from -1 to 1 to `bits` bits. 0 stays 0.
std::byte coefficient_byte(float number, std::uint32_t bits) {
    const long step = 1L << (8 - bits), byte = std::lround(std::clamp(number, -2.0F, 2.0F) * 128) + 128;
    return static_cast<std::byte>(std::clamp((byte + step / 2) / step * step, 0L, 255L));
}

/// Packs a rotation as `smallest_three` reads it.
std::uint32_t rotation_word(const Quaternion& rotation) {
    constexpr float root = 1.41421356F;
    const Quaternion ordered = {rotation[1], rotation[2], rotation[3], rotation[0]};
    std::uint32_t largest = 0;
    double length = 0;
    for (std::uint32_t i = 0; i < 4; ++i) {
        length += double{ordered[i]} * ordered[i];
        largest = std::abs(ordered[i]) > std::abs(ordered[largest]) ? i : largest;
    }
    std::uint32_t word = largest;
    for (std::uint32_t i = 0; i < 4; ++i) {
        if (i != largest) {
            const double part = ordered[i] / std::sqrt(length);
            const bool is_negative = (part < 0) != (ordered[largest] < 0);
            const auto size = static_cast<std::uint32_t>(std::lround(511 * root * std::abs(part)));
            word = word << 10 | (is_negative ? 512U : 0U) | std::min(size, 511U);
        }
    }
    return word;
}

/// Returns the largest absolute coordinate.
float extent_of(const Cloud& cloud) {
    float extent = 0;
    for (const SplatPlace& place : cloud.places) {
        for (const float coordinate : place.mean) {
            extent = std::max(extent, std::abs(coordinate));
        }
    }
    return extent;
}

/// Attributes of all splats: positions, opacities, colors, scales, rotations, harmonics.
using SpzAttributes = std::array<std::vector<std::byte>, 6>;

void add_number(std::vector<std::byte>& bytes, std::uint64_t number, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) {
        bytes.push_back(static_cast<std::byte>(number >> 8 * i));
    }
}

SpzAttributes attributes_of(const Cloud& cloud, const SpzOptions& options, std::uint32_t fraction_bits) {
    SpzAttributes attributes;
    auto& [positions, opacities, colors, scales, rotations, harmonics] = attributes;
    const float per_unit = std::ldexp(1.0F, static_cast<int>(fraction_bits));
    for (std::size_t index = 0; index < cloud.size(); ++index) {
        Splat splat = cloud.splat(index);
        if (!options.keep_axes) {
            flip_axes({1, -1, -1}, splat);
        }
        for (std::size_t i = 0; i < 3; ++i) {
            const long fixed = std::clamp(std::lround(splat.mean[i] * per_unit), -0x800000L, 0x7FFFFFL);
            add_number(positions, static_cast<std::uint64_t>(fixed), 3);
            colors.push_back(rounded_byte((splat.color[i] * 0.15F + 0.5F) * 255));
            scales.push_back(rounded_byte((std::log(std::max(splat.scale[i], 1e-30F)) + 10) * 16));
        }
        opacities.push_back(rounded_byte(splat.opacity * 255));
        add_number(rotations, rotation_word(splat.rotation), 4);
        for (std::size_t i = 0; i < coefficients_of(cloud.degree); ++i) {
            for (const float number : splat.harmonics[i]) {
                const std::uint32_t bits = i < 3 ? options.first_degree_bits : options.higher_degree_bits;
                harmonics.push_back(coefficient_byte(number, bits));
            }
        }
    }
    return attributes;
}

Result<> check_options(const SpzOptions& options, float extent) {
    const auto refuse = [](const std::string& option, std::uint32_t value, const char* range) {
        return tl::unexpected(Error{ErrorCode::invalid_argument,
                                    "write_spz: " + option + " is " + std::to_string(value) + "; it must be " + range});
    };
    if (options.version != 3 && options.version != 4) {
        return refuse("version", options.version, "3 or 4");
    }
    if (options.fraction_bits > 23) {
        return refuse("fraction_bits", options.fraction_bits, "0 to 23");
    }
    if (options.first_degree_bits < 1 || options.first_degree_bits > 8) {
        return refuse("first_degree_bits", options.first_degree_bits, "1 to 8");
    }
    if (options.higher_degree_bits < 1 || options.higher_degree_bits > 8) {
        return refuse("higher_degree_bits", options.higher_degree_bits, "1 to 8");
    }
    if (extent >= 0x1p23F) {
        return tl::unexpected(Error{ErrorCode::invalid_argument, "write_spz: the cloud has the coordinate " +
                                                                     std::to_string(extent) +
                                                                     "; the limit of the format is 2^23"});
    }
    return {};
}

/// Returns the file of version 4: header, table, streams.
Result<std::vector<std::byte>> zstd_file(std::vector<std::byte> file, const SpzAttributes& attributes,
                                         std::size_t streams) {
    constexpr std::uint32_t header = 32;
    add_number(file, header, 4); // position of the table
    file.resize(header);
    std::array<Result<std::vector<std::byte>>, 6> packed;
    run_parallel(0, static_cast<std::uint32_t>(streams), [&](std::uint32_t i) { packed[i] = zstd(attributes[i]); });
    for (std::size_t i = 0; i < streams; ++i) {
        SPLATS_PROPAGATE(packed[i]);
        add_number(file, packed[i]->size(), 8);
        add_number(file, attributes[i].size(), 8);
    }
    for (std::size_t i = 0; i < streams; ++i) {
        file.insert(file.end(), packed[i]->begin(), packed[i]->end());
    }
    return file;
}

} // namespace

Result<std::vector<std::byte>> write_spz(const Cloud& cloud, const SpzOptions& options) try {
    const float extent = extent_of(cloud);
    SPLATS_PROPAGATE(check_options(options, extent));
    std::uint32_t fraction_bits = options.fraction_bits;
    while (fraction_bits > 0 && std::ldexp(extent, static_cast<int>(fraction_bits)) >= 0x1p23F - 1) {
        --fraction_bits;
    }
    const SpzAttributes attributes = attributes_of(cloud, options, fraction_bits);
    const std::size_t streams = cloud.degree == 0 ? 5 : 6;
    std::vector<std::byte> file;
    add_number(file, 0x5053474E, 4); // "NGSP"
    add_number(file, options.version, 4);
    add_number(file, cloud.size(), 4);
    add_number(file, cloud.degree, 1);
    add_number(file, fraction_bits, 1);
    add_number(file, options.is_antialiased ? 1 : 0, 1);
    add_number(file, options.version == 4 ? streams : 0, 1);
    if (options.version == 4) {
        return zstd_file(std::move(file), attributes, streams);
    }
    for (const std::vector<std::byte>& attribute : attributes) {
        file.insert(file.end(), attribute.begin(), attribute.end());
    }
    return gzip(file);
} catch (const std::bad_alloc&) {
    return tl::unexpected(
        Error{ErrorCode::out_of_memory, "write_spz: no memory for " + std::to_string(cloud.size()) + " splats"});
}

} // namespace weir::splats
