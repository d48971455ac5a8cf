// .ply as the original training writes it: scales before the exponential, opacities before the sigmoid, quaternions
// w, x, y, z, and harmonics with all coefficients of a color together.

#include <algorithm>
#include <array>

#include "compressed_ply.hpp"
#include "ply_header.hpp"
#include "propagate.hpp"

namespace weir::splats {

namespace {

/// A property in a row.
struct PlyField {
    std::size_t offset = 0;
    PlyType type = PlyType::f32;
};

/// Properties of a splat in a row.
struct PlyLayout {
    std::array<PlyField, 3> mean, scale, color;
    std::array<PlyField, 4> rotation;
    PlyField opacity;
    std::vector<PlyField> harmonics;
    std::size_t coefficients = 0; ///< per color in the file
    bool is_plain = true;         ///< all properties are floats in the byte order of the host
};

/// Finds properties, as "rot_0" to "rot_3" for "rot_" if there are four.
template <std::size_t n>
Result<> find_fields(const PlyRows& rows, const std::array<const char*, n>& names, std::array<PlyField, n>& fields,
                     bool& is_plain) {
    for (std::size_t i = 0; i < n; ++i) {
        const PlyProperty* const property = rows.element->find(names[i]);
        if (property == nullptr) {
            return invalid_file("the PLY file's splats have no property " + std::string(names[i]));
        }
        fields[i] = {property->offset, property->type};
        is_plain = is_plain && property->type == PlyType::f32;
    }
    return {};
}

Result<PlyLayout> layout_of(const PlyRows& rows) {
    PlyLayout layout{.is_plain = !rows.is_swapped};
    std::array<PlyField, 1> opacity;
    SPLATS_PROPAGATE(find_fields<3>(rows, {"x", "y", "z"}, layout.mean, layout.is_plain));
    SPLATS_PROPAGATE(find_fields<3>(rows, {"scale_0", "scale_1", "scale_2"}, layout.scale, layout.is_plain));
    SPLATS_PROPAGATE(find_fields<4>(rows, {"rot_0", "rot_1", "rot_2", "rot_3"}, layout.rotation, layout.is_plain));
    SPLATS_PROPAGATE(find_fields<1>(rows, {"opacity"}, opacity, layout.is_plain));
    SPLATS_PROPAGATE(find_fields<3>(rows, {"f_dc_0", "f_dc_1", "f_dc_2"}, layout.color, layout.is_plain));
    layout.opacity = opacity[0];
    while (const PlyProperty* const property =
               rows.element->find("f_rest_" + std::to_string(layout.harmonics.size()))) {
        layout.harmonics.push_back({property->offset, property->type});
        layout.is_plain = layout.is_plain && property->type == PlyType::f32;
    }
    layout.coefficients = layout.harmonics.size() / 3;
    constexpr std::size_t numbers[] = {0, 9, 24, 45, 72};
    if (std::find(std::begin(numbers), std::end(numbers), layout.harmonics.size()) == std::end(numbers)) {
        return invalid_file("the PLY file's splats have " + std::to_string(layout.harmonics.size()) +
                            " properties f_rest; 0, 9, 24, 45 and 72 are supported");
    }
    return layout;
}

template <class Load>
void decode_ply_row(const PlyLayout& layout, std::uint32_t degree, const Load& number, Splat& splat) {
    for (std::size_t i = 0; i < 3; ++i) {
        splat.mean[i] = number(layout.mean[i]);
        splat.scale[i] = std::exp(number(layout.scale[i]));
        splat.color[i] = number(layout.color[i]);
    }
    for (std::size_t i = 0; i < 4; ++i) {
        splat.rotation[i] = number(layout.rotation[i]);
    }
    splat.opacity = sigmoid(number(layout.opacity));
    for (std::size_t i = 0; i < coefficients_of(degree); ++i) {
        for (std::size_t color = 0; color < 3; ++color) {
            splat.harmonics[i][color] = number(layout.harmonics[color * layout.coefficients + i]);
        }
    }
}

std::uint32_t degree_of(std::size_t coefficients) {
    std::uint32_t degree = 0;
    while (degree < 3 && coefficients >= coefficients_of(degree + 1)) {
        ++degree;
    }
    return degree;
}

} // namespace

Result<SplatSource> open_ply(Bytes bytes) {
    const auto header = read_ply_header(bytes);
    SPLATS_PROPAGATE(header);
    const PlyElement* const vertex = header->find("vertex");
    if (vertex == nullptr) {
        return invalid_file("the PLY file has no element vertex");
    }
    const auto count = checked_count("PLY", vertex->rows);
    SPLATS_PROPAGATE(count);
    if (vertex->find("packed_position") != nullptr) {
        return open_compressed_ply(bytes, *header);
    }
    auto rows = rows_of(bytes, *header, *vertex);
    SPLATS_PROPAGATE(rows);
    auto layout = layout_of(*rows);
    SPLATS_PROPAGATE(layout);
    SplatSource source{
        .splats = *count, .degree = degree_of(layout->coefficients), .is_antialiased = header->is_antialiased};
    const std::size_t row = rows->element->row;
    source.decode = [begin = rows->begin, is_swapped = rows->is_swapped, numbers = rows->numbers, row, layout = *layout,
                     degree = source.degree](std::uint32_t first, std::span<Splat> splats) {
        for (std::size_t i = 0; i < splats.size(); ++i) {
            const std::byte* const at = begin + (first + i) * row;
            if (layout.is_plain) {
                decode_ply_row(
                    layout, degree, [&](PlyField field) { return load<float>(at + field.offset); }, splats[i]);
            } else {
                decode_ply_row(
                    layout, degree,
                    [&](PlyField field) { return ply_number(at + field.offset, field.type, is_swapped); }, splats[i]);
            }
        }
    };
    return source;
}

std::vector<std::byte> write_ply(const Cloud& cloud) {
    const std::uint32_t coefficients = coefficients_of(cloud.degree);
    std::string header = "ply\nformat binary_little_endian 1.0\nelement vertex " + std::to_string(cloud.size()) + "\n";
    std::size_t columns = 0;
    const auto add = [&](const std::string& name, std::uint32_t numbers) {
        for (std::uint32_t i = 0; i < numbers; ++i, ++columns) {
            header += "property float " + name + (name.back() == '_' ? std::to_string(i) : "") + "\n";
        }
    };
    for (const char* const name : {"x", "y", "z", "nx", "ny", "nz"}) {
        add(name, 1);
    }
    add("f_dc_", 3);
    add("f_rest_", 3 * coefficients);
    add("opacity", 1);
    add("scale_", 3);
    add("rot_", 4);
    header += "end_header\n";
    std::vector<float> row;
    std::vector<std::byte> file(header.size() + columns * sizeof(float) * cloud.size());
    std::memcpy(file.data(), header.data(), header.size());
    for (std::size_t i = 0; i < cloud.size(); ++i) {
        const Splat splat = cloud.splat(i);
        row.assign(splat.mean.begin(), splat.mean.end());
        row.insert(row.end(), 3, 0.0F); // normals, which the training leaves at 0
        row.insert(row.end(), splat.color.begin(), splat.color.end());
        for (std::size_t color = 0; color < 3; ++color) {
            for (std::size_t k = 0; k < coefficients; ++k) {
                row.push_back(splat.harmonics[k][color]);
            }
        }
        row.push_back(logit(splat.opacity));
        for (const float scale : splat.scale) {
            row.push_back(std::log(std::max(scale, 1e-30F)));
        }
        row.insert(row.end(), splat.rotation.begin(), splat.rotation.end());
        std::memcpy(file.data() + header.size() + i * columns * sizeof(float), row.data(), columns * sizeof(float));
    }
    return file;
}

} // namespace weir::splats
