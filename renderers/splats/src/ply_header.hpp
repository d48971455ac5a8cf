#pragma once

#include <array>
#include <memory>
#include <optional>

#include "source.hpp"

namespace weir::splats {

enum class PlyEncoding : std::uint8_t { ascii, little_endian, big_endian };
enum class PlyType : std::uint8_t { i8, u8, i16, u16, i32, u32, f32, f64 };

/// Returns the size in bytes.
std::size_t size_of(PlyType type);

/// A property of an element.
struct PlyProperty {
    std::string name;
    PlyType type = PlyType::f32;
    std::optional<PlyType> length; ///< type of the length of a list
    std::size_t offset = 0;        ///< in a row of an element without lists, in bytes
};

/// An element: a table with a row per splat, chunk or other object.
struct PlyElement {
    std::string name;
    std::uint64_t rows = 0;
    std::size_t row = 0; ///< bytes per row, if there are no lists
    bool has_list = false;
    std::vector<PlyProperty> properties;

    [[nodiscard]] const PlyProperty* find(std::string_view property) const;
};

/// Header of a PLY file.
struct PlyHeader {
    PlyEncoding encoding = PlyEncoding::little_endian;
    std::vector<PlyElement> elements;
    std::size_t size = 0; ///< bytes, including the end of its last line
    bool is_antialiased = false;

    [[nodiscard]] const PlyElement* find(std::string_view element) const;
};

/// Parses the header.
Result<PlyHeader> read_ply_header(Bytes bytes);

/// Rows of an element without lists.
struct PlyRows {
    const PlyElement* element = nullptr;
    const std::byte* begin = nullptr;
    bool is_swapped = false;               ///< numbers are in the other byte order
    std::shared_ptr<PlyElement> converted; ///< ASCII: all properties as floats
    std::shared_ptr<std::vector<float>> numbers;
};

/// Finds the rows of an element of `header`. Numbers in ASCII are converted to floats.
Result<PlyRows> rows_of(Bytes bytes, const PlyHeader& header, const PlyElement& element);

/// Returns a number of a row.
float ply_number(const std::byte* at, PlyType type, bool is_swapped);

} // namespace weir::splats
