// Compressed .ply: chunks of 256 splats with bounds, 32-bit words with fractions between these bounds.

#include "compressed_ply.hpp"

#include <algorithm>
#include <array>

#include "propagate.hpp"

namespace weir::splats {

namespace {

constexpr std::uint32_t chunk_splats = 256;

/// Positions in rows of the three elements, in bytes.
struct CompressedPly {
    PlyRows chunks, splats, harmonics;
    std::array<std::size_t, 3> min_mean{}, max_mean{}, min_scale{}, max_scale{}, min_color{}, max_color{};
    std::array<std::size_t, 4> packed{}; ///< position, rotation, scale, color
    std::vector<std::size_t> coefficients;
    bool has_colors = false; ///< chunks have bounds of colors; otherwise these are from 0 to 1
};

/// Finds properties of one type.
template <std::size_t n>
Result<> find_packed(const PlyRows& rows, PlyType type, const std::array<const char*, n>& names,
                     std::array<std::size_t, n>& offsets) {
    for (std::size_t i = 0; i < n; ++i) {
        const PlyProperty* const property = rows.element->find(names[i]);
        if (property == nullptr || property->type != type) {
            return invalid_file("the compressed PLY file's element " + rows.element->name + " has no property " +
                                names[i] + " of type " + (type == PlyType::f32 ? "float" : "uint"));
        }
        offsets[i] = property->offset;
    }
    return {};
}

Result<> find_chunk_fields(CompressedPly& file) {
    const PlyRows& chunks = file.chunks;
    SPLATS_PROPAGATE(find_packed<3>(chunks, PlyType::f32, {"min_x", "min_y", "min_z"}, file.min_mean));
    SPLATS_PROPAGATE(find_packed<3>(chunks, PlyType::f32, {"max_x", "max_y", "max_z"}, file.max_mean));
    SPLATS_PROPAGATE(
        find_packed<3>(chunks, PlyType::f32, {"min_scale_x", "min_scale_y", "min_scale_z"}, file.min_scale));
    SPLATS_PROPAGATE(
        find_packed<3>(chunks, PlyType::f32, {"max_scale_x", "max_scale_y", "max_scale_z"}, file.max_scale));
    file.has_colors = chunks.element->find("min_r") != nullptr;
    if (file.has_colors) {
        SPLATS_PROPAGATE(find_packed<3>(chunks, PlyType::f32, {"min_r", "min_g", "min_b"}, file.min_color));
        SPLATS_PROPAGATE(find_packed<3>(chunks, PlyType::f32, {"max_r", "max_g", "max_b"}, file.max_color));
    }
    return {};
}

Result<> find_harmonics(Bytes bytes, const PlyHeader& header, CompressedPly& file) {
    const PlyElement* const element = header.find("sh");
    if (element == nullptr) {
        return {};
    }
    if (element->rows != file.splats.element->rows) {
        return invalid_file("the compressed PLY file has harmonics of " + std::to_string(element->rows) + " of " +
                            std::to_string(file.splats.element->rows) + " splats");
    }
    auto rows = rows_of(bytes, header, *element);
    SPLATS_PROPAGATE(rows);
    file.harmonics = std::move(*rows);
    while (const PlyProperty* const property = element->find("f_rest_" + std::to_string(file.coefficients.size()))) {
        if (property->type != PlyType::u8) {
            return invalid_file("the compressed PLY file's property " + property->name + " is not of type uchar");
        }
        file.coefficients.push_back(property->offset);
    }
    const std::size_t count = file.coefficients.size();
    if (count != 9 && count != 24 && count != 45) {
        return invalid_file("the compressed PLY file's harmonics have " + std::to_string(count) +
                            " properties f_rest; 9, 24 and 45 are supported");
    }
    return {};
}

/// Returns `bits` bits of a word from bit `shift` on, as a number from 0 to 1.
float fraction(std::uint32_t word, unsigned shift, unsigned bits) {
    const std::uint32_t most = (1U << bits) - 1;
    return static_cast<float>(word >> shift & most) / static_cast<float>(most);
}

Vec3 between_bounds(const std::byte* chunk, const std::array<std::size_t, 3>& min,
                    const std::array<std::size_t, 3>& max, const Vec3& t) {
    Vec3 result{};
    for (std::size_t i = 0; i < 3; ++i) {
        result[i] = load<float>(chunk + min[i]) * (1 - t[i]) + load<float>(chunk + max[i]) * t[i];
    }
    return result;
}

/// Splits a word into 11, 10 and 11 bits.
Vec3 three_fractions(std::uint32_t word) {
    return {fraction(word, 21, 11), fraction(word, 11, 10), fraction(word, 0, 11)};
}

/// Returns the rotation of a word: 2 bits name the largest component, which is not stored, 10 bits each follow.
Quaternion rotation_of(std::uint32_t word) {
    Quaternion rotation{};
    const std::uint32_t largest = word >> 30;
    float rest = 1;
    for (std::uint32_t i = 0, shift = 20; i < 4; ++i) {
        if (i != largest) {
            rotation[i] = (fraction(word, shift, 10) - 0.5F) * std::sqrt(2.0F);
            rest -= rotation[i] * rotation[i];
            shift -= 10;
        }
    }
    rotation[largest] = std::sqrt(std::max(0.0F, rest));
    return rotation;
}

Splat splat_of_words(const CompressedPly& file, std::size_t index) {
    const std::byte* const row = file.splats.begin + index * file.splats.element->row;
    const std::byte* const chunk = file.chunks.begin + index / chunk_splats * file.chunks.element->row;
    const auto word = [&](std::size_t i) { return load<std::uint32_t>(row + file.packed[i]); };
    Splat splat;
    splat.mean = between_bounds(chunk, file.min_mean, file.max_mean, three_fractions(word(0)));
    splat.rotation = rotation_of(word(1));
    splat.scale = between_bounds(chunk, file.min_scale, file.max_scale, three_fractions(word(2)));
    Vec3 color = {fraction(word(3), 24, 8), fraction(word(3), 16, 8), fraction(word(3), 8, 8)};
    if (file.has_colors) {
        color = between_bounds(chunk, file.min_color, file.max_color, color);
    }
    for (std::size_t i = 0; i < 3; ++i) {
        splat.scale[i] = std::exp(splat.scale[i]);
        splat.color[i] = coefficient_of(color[i]);
    }
    splat.opacity = fraction(word(3), 0, 8);
    const std::size_t coefficients = file.coefficients.size() / 3;
    for (std::size_t i = 0; i < file.coefficients.size(); ++i) {
        // Bytes are centers of 256 equal intervals from -4 to 4, except that the first and the last are the bounds.
        const float byte = byte_at(file.harmonics.begin + index * file.harmonics.element->row + file.coefficients[i]);
        const float center = byte == 0 ? 0 : byte == 255 ? 256 : byte + 0.5F;
        splat.harmonics[i % coefficients][i / coefficients] = center / 32 - 4;
    }
    return splat;
}

} // namespace

Result<SplatSource> open_compressed_ply(Bytes bytes, const PlyHeader& header) {
    const PlyElement& vertex = *header.find("vertex");
    const PlyElement* const chunk = header.find("chunk");
    if (header.encoding != PlyEncoding::little_endian) {
        return invalid_file("the compressed PLY file is not binary_little_endian");
    }
    if (chunk == nullptr) {
        return invalid_file("the compressed PLY file has no element chunk");
    }
    if (chunk->rows != (vertex.rows + chunk_splats - 1) / chunk_splats) {
        return invalid_file("the compressed PLY file has " + std::to_string(chunk->rows) + " chunks for " +
                            std::to_string(vertex.rows) + " splats");
    }
    auto file = std::make_shared<CompressedPly>();
    const auto owned = std::make_shared<PlyHeader>(header); // rows point to its elements
    auto chunks = rows_of(bytes, *owned, *owned->find("chunk"));
    SPLATS_PROPAGATE(chunks);
    auto splats = rows_of(bytes, *owned, *owned->find("vertex"));
    SPLATS_PROPAGATE(splats);
    file->chunks = std::move(*chunks);
    file->splats = std::move(*splats);
    SPLATS_PROPAGATE(find_chunk_fields(*file));
    SPLATS_PROPAGATE(find_packed<4>(file->splats, PlyType::u32,
                                    {"packed_position", "packed_rotation", "packed_scale", "packed_color"},
                                    file->packed));
    SPLATS_PROPAGATE(find_harmonics(bytes, *owned, *file));
    SplatSource source{.format = CloudFormat::compressed_ply,
                       .splats = static_cast<std::uint32_t>(vertex.rows),
                       .is_antialiased = header.is_antialiased};
    while (coefficients_of(source.degree) < file->coefficients.size() / 3) {
        ++source.degree;
    }
    source.decode = [file, owned](std::uint32_t first, std::span<Splat> out) {
        for (std::size_t i = 0; i < out.size(); ++i) {
            out[i] = splat_of_words(*file, first + i);
        }
    };
    return source;
}

} // namespace weir::splats
