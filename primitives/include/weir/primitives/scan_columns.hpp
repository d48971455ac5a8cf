#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <type_traits>
#include <variant>

#include <weir/engine/export.hpp>
#include <weir/graph/graph.hpp>
#include <weir/primitives/detail/scan_request.hpp>
#include <weir/primitives/element.hpp>
#include <weir/primitives/monoid.hpp>
#include <weir/primitives/scan_tuning.hpp>

namespace weir {

/// Size of a matrix.
struct MatrixSize {
    std::uint32_t rows = 0;    ///< elements of a column
    std::uint32_t columns = 0; ///< elements of a row
};

/// Layout of a matrix in a buffer, row by row: the element at (row, column) is element `offset + row * pitch + column`.
struct MatrixLayout {
    std::uint32_t offset = 0; ///< elements before the first one
    std::uint32_t pitch = 0;  ///< elements from the beginning of one row to that of the next; 0: the number of columns
};

/// Kernel shape for tests and tuning. 0: chosen by device and size. Results of operators that round depend on all
/// members.
struct ColumnScanTuning {
    /// Invocations per workgroup: a power of two from the subgroup size to the device limit.
    std::uint32_t workgroup = 0;
    /// Columns per workgroup: a power of two, at most `workgroup`.
    std::uint32_t width = 0;
    /// Rows that an invocation processes at a time; at most 64.
    std::uint32_t rows = 0;
    /// Maximum number of parts of a column. 1: a single dispatch, in which each workgroup scans whole columns.
    std::uint32_t parts = 0;
};

/// Options of scan_columns.
template <class T>
struct ColumnScanOptions {
    ScanKind kind = ScanKind::inclusive;               ///< inclusive or exclusive
    std::variant<Operator, Monoid> op = Operator::add; ///< operator
    /// Value before the first element of each column. If it is not set, exclusive scans start as in `scan`.
    std::optional<T> initial = {};
    /// Capacity for the matrix. May be the input, with the same layout. Not valid: a new transient.
    BufferRef<T> output = {};
    MatrixLayout input_layout = {};  ///< layout of the input
    MatrixLayout output_layout = {}; ///< layout of the output
    ColumnScanTuning tuning = {};    ///< kernel shape
};

namespace detail {

/// A scan along columns whose element type is known at run time only.
struct ColumnScanRequest {
    ElementType element = {};
    MatrixSize size = {};
    ScanKind kind = ScanKind::inclusive;
    const std::variant<Operator, Monoid>* op = nullptr;
    std::optional<std::array<std::uint32_t, 16>> initial = {};
    BufferId input = {}, output = {};
    std::uint64_t input_capacity = 0, output_capacity = 0; ///< in elements
    MatrixLayout input_layout = {}, output_layout = {};
    ColumnScanTuning tuning = {};
};

WEIR_API void add_scan_columns(Graph& graph, const ColumnScanRequest& request);

/// Returns the number of elements from the beginning of a buffer to the end of the matrix.
WEIR_API std::uint64_t matrix_end(MatrixSize size, MatrixLayout layout);

} // namespace detail

/// Adds scans along the columns of a matrix that is stored row by row. The result at (row, column) combines the
/// elements of that column from the first row up to that row, in order, by a built-in operator or a Monoid, which need
/// not commute. T is one of the types of `element_type`; a struct needs a Monoid with the same number of words. Returns
/// the output. Words between rows and around the matrix are not written. For scans along rows, use `scan` with
/// `Segments::of_length(columns)`.
///
/// The size is fixed when the graph is built. The count of the input, which may be on the GPU, is not used.
///
/// Each workgroup scans a strip of columns: by default 64 columns of one-word elements, or 32 columns of larger ones.
/// With 512 strips or more (16 on a CPU; an estimate), one dispatch reads and writes each element once. With fewer
/// strips, columns longer than a tile are divided into parts, and three dispatches read the input twice: reduce the
/// parts, scan the results, scan the parts (reduce-then-scan; no workgroup waits for another). Scratch: one element per
/// part and column; with default tuning fewer than 163840 elements of one word, or 81920 larger ones. Results have the
/// same bits in every run on one device. Capacity: 2^32 words and 2^31 rows.
///
/// Errors, reported by `compile`: `invalid_argument` for buffers that are too small, rows that overlap, an output that
/// is the input with another layout, an operator that does not fit, or a shape that the device cannot run;
/// `limit_exceeded` beyond the capacity; `unsupported` for doubles on a device without them.
template <Element T>
BufferRef<T> scan_columns(const GraphCall& graph, BufferRef<T> input, MatrixSize size,
                          const std::type_identity_t<ColumnScanOptions<T>>& options = {}) {
    detail::ColumnScanRequest request;
    request.element = element_type<T>;
    request.size = size;
    request.kind = options.kind;
    request.op = &options.op;
    if (options.initial) {
        request.initial.emplace();
        std::memcpy(request.initial->data(), &*options.initial, sizeof(T));
    }
    BufferRef<T> output = options.output;
    if (!output.valid() && input.valid()) {
        const std::uint64_t end = detail::matrix_end(size, options.output_layout);
        constexpr std::uint64_t most = 0xFFFFFFFF / (sizeof(T) / 4); // a larger matrix is refused
        output = graph->transient_buffer<T>("scanned columns", static_cast<std::uint32_t>(end == 0     ? 1
                                                                                          : end > most ? most
                                                                                                       : end));
    }
    request.input = input;
    request.output = output;
    request.input_capacity = input.capacity;
    request.output_capacity = output.capacity;
    request.input_layout = options.input_layout;
    request.output_layout = options.output_layout;
    request.tuning = options.tuning;
    detail::add_scan_columns(graph, request);
    return output;
}

} // namespace weir
