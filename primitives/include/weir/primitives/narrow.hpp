#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include <weir/engine/export.hpp>
#include <weir/graph/graph.hpp>
#include <weir/primitives/compaction.hpp>
#include <weir/primitives/detail/outputs.hpp>
#include <weir/primitives/element.hpp>
#include <weir/primitives/layout.hpp>
#include <weir/primitives/partition.hpp>
#include <weir/primitives/predicate.hpp>
#include <weir/primitives/scan.hpp>
#include <weir/primitives/select.hpp>
#include <weir/primitives/unique.hpp>

// Primitives on 8-bit and 16-bit numbers, which are packed into 32-bit words from the lowest bits on.

namespace weir {

/// Options of widen and narrow. T is the type of the output.
template <class T>
struct NarrowOptions {
    BufferRef<T> output = {}; ///< capacity for all numbers; not valid: a new transient
};

namespace detail {

/// A conversion between narrow and 32-bit numbers whose types are known at run time only.
struct NarrowRequest {
    enum class Kind : std::uint8_t { unsigned_integers, signed_integers, floats, bfloats };

    const char* name = "";
    Kind kind = Kind::unsigned_integers;
    std::uint32_t bits = 8; ///< bits of a narrow number: 8 or 16
    bool narrows = false;
    Count count = {};
    BufferId input = {}, output = {};
    std::uint64_t input_capacity = 0, output_capacity = 0;
};

WEIR_API void add_narrow(Graph& graph, const NarrowRequest& request);

template <class N, class From, class To>
BufferRef<To> convert(Graph& graph, const char* name, BufferRef<From> input, BufferRef<To> output) {
    const BufferRef<To> converted = given_or_transient(graph, output, name, input.count.max);
    add_narrow(graph, {.name = name,
                       .kind = std::is_same_v<N, Half>       ? NarrowRequest::Kind::floats
                               : std::is_same_v<N, BFloat16> ? NarrowRequest::Kind::bfloats
                               : std::is_signed_v<N>         ? NarrowRequest::Kind::signed_integers
                                                             : NarrowRequest::Kind::unsigned_integers,
                       .bits = sizeof(N) * 8,
                       .narrows = std::is_same_v<N, To>,
                       .count = input.count,
                       .input = input,
                       .output = converted,
                       .input_capacity = input.capacity,
                       .output_capacity = converted.capacity});
    return converted.with_count(input.count);
}

} // namespace detail

/// Adds a pass that converts 8-bit or 16-bit numbers to 32-bit numbers: std::uint8_t and std::uint16_t to
/// std::uint32_t, std::int8_t and std::int16_t to std::int32_t, Half and BFloat16 to float. The conversion is exact.
/// No device feature is required, in particular no 8-bit or 16-bit storage. Returns the output, with the count of the
/// input. The output must not be the input.
///
/// One dispatch. Errors, reported by `compile`: `invalid_argument` for buffers that are too small or the same,
/// `limit_exceeded` for 2^32 numbers or more.
template <NarrowElement N>
BufferRef<Wide<N>> widen(const GraphCall& graph, BufferRef<N> input,
                         const std::type_identity_t<NarrowOptions<Wide<N>>>& options = {}) {
    return detail::convert<N>(graph, "widen", input, options.output);
}

/// Adds a pass that converts 32-bit numbers to 8-bit or 16-bit numbers N. Integers are truncated to their lowest bits,
/// that is modulo 2^8 or 2^16. Floats are rounded to the nearest Half or BFloat16, with ties to even; from 65520 on a
/// Half is infinity. Returns the output, with the count of the input. The output must not be the input. If the output
/// has been written before, bytes of its last word beyond the numbers keep their values.
///
///     auto sums = weir::narrow<std::uint16_t>(graph, weir::scan(graph, bytes));
///
/// One dispatch. Errors are those of `widen`.
template <NarrowElement N>
BufferRef<N> narrow(const GraphCall& graph, BufferRef<Wide<N>> input, const NarrowOptions<N>& options = {}) {
    return detail::convert<N>(graph, "narrow", input, options.output);
}

/// Adds a scan of 8-bit or 16-bit numbers with 32-bit results. A separate pass widens the input. Use `narrow` to
/// convert the result back. Scratch: 4 bytes per number, unless the result is a new transient. `input_layout` must have
/// its default value. Everything else is as for `scan` of 32-bit numbers.
template <NarrowElement N>
BufferRef<Wide<N>> scan(const GraphCall& graph, BufferRef<N> input,
                        std::type_identity_t<ScanOptions<Wide<N>>> options = {}) {
    const BufferRef<Wide<N>> wide = widen(graph, input);
    if (!options.output.valid() && options.output_layout.offset == 0 && options.output_layout.stride == 0) {
        options.output = wide;
    }
    return scan<Wide<N>>(graph, wide, options);
}

namespace detail {

/// Returns the options of a compaction of widened numbers, without its outputs. Fails the graph if they have layouts.
template <class WideOptions, class Options>
WideOptions options_of_wide(Graph& graph, const char* name, const Options& options) {
    for (const WordLayout& layout : {options.input_layout, options.output_layout}) {
        if (layout.offset != 0 || layout.stride != 0) {
            graph.fail({ErrorCode::invalid_argument,
                        std::string(name) + ": a layout is not supported for numbers of 8 or 16 bits"});
        }
    }
    WideOptions wide{.want_items = options.want_items};
    wide.want_indices = options.want_indices;
    wide.tuning = options.tuning;
    return wide;
}

/// Returns a transient for items that will be narrowed; not valid unless `wanted`.
template <class N>
BufferRef<Wide<N>> wide_items(Graph& graph, const char* name, bool wanted, BufferRef<N> output, const Count& count) {
    const std::uint32_t room = output.valid() ? output.capacity : count.max > 0 ? count.max : 1;
    return wanted ? graph.transient_buffer<Wide<N>>(std::string(name) + " wide items", room) : BufferRef<Wide<N>>{};
}

template <class N>
SelectResult<N> narrowed(const GraphCall& graph, const SelectResult<Wide<N>>& wide, BufferRef<N> output) {
    return {wide.items.valid() ? narrow<N>(graph, wide.items, {.output = output}) : BufferRef<N>{}, wide.indices,
            wide.count};
}

/// Adds a selection of narrow numbers: widens them, calls `select` with the widened numbers and their options, and
/// narrows the items that it returns.
template <class N, class Select>
SelectResult<N> select_narrow(const GraphCall& graph, const char* name, BufferRef<N> input,
                              const SelectOptions<N>& options, const Select& select) {
    if (!options.want_items && options.output.valid()) {
        graph->fail(
            {ErrorCode::invalid_argument, std::string(name) + ": an output of items is set but .want_items is false"});
    }
    auto wide = options_of_wide<SelectOptions<Wide<N>>>(graph, name, options);
    wide.output = wide_items(graph, name, options.want_items, options.output, input.count);
    wide.output_indices = options.output_indices;
    wide.output_count = options.output_count;
    return narrowed<N>(graph, select(widen(graph, input), wide), options.output);
}

} // namespace detail

/// Adds `select_if` of 8-bit or 16-bit numbers. The predicate sees a uint, an int or a float, and comparisons are with
/// 32-bit numbers. One pass before the selection widens the numbers, and one after it narrows those that are kept.
/// Scratch: 8 bytes per number. Layouts must have their default values.
template <NarrowElement N>
SelectResult<N> select_if(const GraphCall& graph, BufferRef<N> input, const Predicate& predicate,
                          const std::type_identity_t<SelectOptions<N>>& options = {}) {
    return detail::select_narrow<N>(graph, "select", input, options, [&](auto wide, const auto& wide_options) {
        return select_if(graph, wide, predicate, wide_options);
    });
}

/// Adds `select_flagged` of 8-bit or 16-bit numbers. Passes, scratch memory and layouts are as for `select_if` of such
/// numbers.
template <NarrowElement N>
SelectResult<N> select_flagged(const GraphCall& graph, BufferRef<N> input, BufferRef<std::uint32_t> flags,
                               const std::type_identity_t<SelectOptions<N>>& options = {}) {
    return detail::select_narrow<N>(graph, "select", input, options, [&](auto wide, const auto& wide_options) {
        return select_flagged(graph, wide, flags, wide_options);
    });
}

/// Adds `select_by_bits` of 8-bit or 16-bit numbers. Passes, scratch memory and layouts are as for `select_if` of such
/// numbers.
template <NarrowElement N>
SelectResult<N> select_by_bits(const GraphCall& graph, BufferRef<N> input, BufferRef<std::uint32_t> bits,
                               const std::type_identity_t<SelectOptions<N>>& options = {}) {
    return detail::select_narrow<N>(graph, "select", input, options, [&](auto wide, const auto& wide_options) {
        return select_by_bits(graph, wide, bits, wide_options);
    });
}

/// Adds `unique` of 8-bit or 16-bit numbers. Passes, scratch memory and layouts are as for `select_if` of such numbers.
template <NarrowElement N>
SelectResult<N> unique(const GraphCall& graph, BufferRef<N> input,
                       const std::type_identity_t<SelectOptions<N>>& options = {}) {
    return detail::select_narrow<N>(graph, "unique", input, options, [&](auto wide, const auto& wide_options) {
        return unique(graph, wide, wide_options);
    });
}

/// Adds `partition` of 8-bit or 16-bit numbers. The predicates see a uint, an int or a float, and comparisons are with
/// 32-bit numbers. One pass before the partition widens the numbers, and one pass per part narrows its items. Scratch:
/// 4 bytes per number, and 4 bytes per number for each part with items. Layouts must have their default values.
template <NarrowElement N>
std::vector<SelectResult<N>> partition(const GraphCall& graph, BufferRef<N> input,
                                       const std::vector<Predicate>& predicates,
                                       const std::type_identity_t<PartitionOptions<N>>& options = {}) {
    using Options = PartitionOptions<Wide<N>>;
    auto wide = detail::options_of_wide<Options>(graph, "partition", options);
    wide.output_indices = options.output_indices;
    wide.output_counts = options.output_counts;
    for (std::size_t i = 0; i < options.outputs.size(); ++i) {
        const bool is_wanted = options.outputs[i].valid() || (options.want_items && i <= predicates.size());
        wide.outputs[i] = detail::wide_items(graph, "partition", is_wanted, options.outputs[i], input.count);
    }
    std::vector<SelectResult<N>> parts;
    for (const SelectResult<Wide<N>>& part : partition(graph, widen(graph, input), predicates, wide)) {
        parts.push_back(detail::narrowed<N>(graph, part, options.outputs.at(parts.size())));
    }
    return parts;
}

} // namespace weir
