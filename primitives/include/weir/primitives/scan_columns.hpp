#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <type_traits>
#include <variant>

#include <weir/engine/export.hpp>
#include <weir/graph/graph.hpp>
#include <weir/primitives/element.hpp>
#include <weir/primitives/monoid.hpp>
#include <weir/primitives/scan.hpp>

namespace weir {

/// The size of a matrix.
struct MatrixSize {
    std::uint32_t rows = 0;    ///< elements of a column
    std::uint32_t columns = 0; ///< elements of a row
};

/// The places of a matrix in a buffer, row by row: the element of a row and a column is element
/// `offset + row * pitch + column`.
struct MatrixLayout {
    std::uint32_t offset = 0; ///< elements before the first one
    std::uint32_t pitch = 0;  ///< elements from the beginning of a row to that of the next one; 0: the columns
};

/// The shape of the kernel; 0: chosen by device and size. Results of operators that round depend on all of it.
struct ColumnScanTuning {
    std::uint32_t workgroup = 0; ///< invocations: a power of two from the subgroup size to the limit of the device
    std::uint32_t width = 0;     ///< columns of a workgroup: a power of two up to the workgroup
    std::uint32_t rows = 0;      ///< rows of an invocation at a time, up to 64
    std::uint32_t parts = 0;     ///< of a column at most; 1: one dispatch, in which a workgroup goes down whole columns
};

/// Options of scan_columns.
template <class T>
struct ColumnScanOptions {
    ScanKind kind = ScanKind::inclusive;               ///< inclusive or exclusive
    std::variant<Operator, Monoid> op = Operator::add; ///< the operator
    /// Comes before the first element of each column. Without it exclusive scans start as those of `scan`.
    std::optional<T> initial = {};
    BufferRef<T> output = {}; ///< room for the matrix; may be the input, with its layout; not valid: a new transient
    MatrixLayout input_layout = {};  ///< of the input
    MatrixLayout output_layout = {}; ///< of the output
    ColumnScanTuning tuning = {};    ///< shape of the kernel
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
    std::uint64_t input_capacity = 0, output_capacity = 0; ///< elements
    MatrixLayout input_layout = {}, output_layout = {};
    ColumnScanTuning tuning = {};
};

WEIR_API void add_scan_columns(Graph& graph, const ColumnScanRequest& request);

/// Elements from the beginning of a buffer to the end of the matrix.
WEIR_API std::uint64_t matrix_end(MatrixSize size, MatrixLayout layout);

} // namespace detail

/// Adds scans along the columns of a matrix that is in memory row by row: the result in a row and a column combines the
/// elements of that column up to that row, from the first row on, by a built-in operator or one of your own, which need
/// not commute. T is one of the types of `element_type`; a struct needs a Monoid of as many words. Returns the output.
/// What is between rows and around the matrix is not written. Scans along rows are `scan` with
/// `Segments::of_length(columns)`.
///
/// The size is fixed when the graph is built; the count of the input, which may be on the GPU, is not used.
///
/// A workgroup takes a strip of columns: by default 64 columns of one-word elements, or 32 of larger ones. Where there
/// are 512 strips (16 on a CPU; a guess), one dispatch reads and writes each element once. Else columns that are longer
/// than a tile are divided into parts, and there are three dispatches, which read twice: parts are reduced, the results
/// scanned, then the parts scanned (reduce-then-scan; no workgroup waits for another one). Scratch: an element for each
/// part and column; with default tuning fewer than 163840 elements of one word, or 81920 larger ones. Results have the
/// same bits in every run on one device. Capacity: 2^32 words and 2^31 rows. Errors, reported by `compile`:
/// `invalid_argument` for buffers that are too small, rows that overlap, an output that is the input with another
/// layout, an operator that does not fit, or a shape that the device cannot run; `limit_exceeded` past that;
/// `unsupported` for doubles on a device without them.
template <class T>
requires(!is_narrow<T>) BufferRef<T> scan_columns(const GraphCall& graph, BufferRef<T> input, MatrixSize size,
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
        constexpr std::uint64_t most = 0xFFFFFFFF / (sizeof(T) / 4); // a matrix past it is refused
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
