#include "primitives/kernel/shapes.hpp"

namespace weir {

namespace {

constexpr std::string_view text =
#include "shapes.inc"
    ;
constexpr ShapeTable table = read_shapes(text);

/// A compile error here names the line of shapes.csv that has a mistake.
template <std::size_t line>
struct MistakeInLine {
    static_assert(line == 0, "shapes.csv has a mistake in this line or lacks a row: see shape_table.hpp");
};
template struct MistakeInLine<table.mistake.empty() ? 0 : table.line>;

/// Copy of the rows in use, so that the unused capacity of the table is not part of the library.
constexpr auto shapes = [] {
    std::array<KernelShape, table.size> rows;
    std::ranges::copy(table.all(), rows.begin());
    return rows;
}();

} // namespace

std::span<const KernelShape> kernel_shapes() {
    return shapes;
}

std::span<const KernelShape> kernel_shapes(const Capabilities& device, ShapeKernel kernel) {
    return rows_of(shapes, device, kernel);
}

const KernelShape& kernel_shape(const Capabilities& device, ShapeKernel kernel, std::uint64_t words) {
    return row_for(kernel_shapes(device, kernel), words);
}

} // namespace weir
