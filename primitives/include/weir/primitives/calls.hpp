#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include <weir/graph/call.hpp>
#include <weir/primitives/histogram.hpp>
#include <weir/primitives/monoid.hpp>
#include <weir/primitives/predicate.hpp>
#include <weir/primitives/radix_sort.hpp>
#include <weir/primitives/reduce.hpp>
#include <weir/primitives/run_length.hpp>
#include <weir/primitives/scan.hpp>
#include <weir/primitives/select.hpp>
#include <weir/primitives/top_k.hpp>

// Primitives as calls: created once per device with a maximum number of elements, and recorded with any buffers,
// offsets and numbers of elements. Each function states the buffers of `Call::record` in their order. Errors: those of
// `Call::create` and of the primitive.

namespace weir {

/// Options of sort_call and argsort_call. Bits are numbered as for `radix_sort`.
template <class K>
struct SortCallOptions {
    bool descending = false;               ///< largest key first
    std::uint32_t first_bit = 0;           ///< lowest compared bit
    std::uint32_t end_bit = sizeof(K) * 8; ///< one past the highest compared bit
    bool in_place = true;                  ///< false: the outputs are further buffers; sort_call only
};

namespace detail {

inline CallOptions named(CallOptions options, const char* name) {
    if (options.name.empty()) {
        options.name = name;
    }
    return options;
}

} // namespace detail

/// Creates a stable radix sort of keys: see `radix_sort`. Buffers: keys; with `in_place` false also sorted keys.
template <class K>
Result<Call> sort_call(const Context& context, const CallOptions& options,
                       const std::type_identity_t<SortCallOptions<K>>& sort = {}) {
    return Call::create(context, detail::named(options, "sort"), [&](CallBuilder& call) {
        const auto keys = call.per_element<K>("keys");
        radix_sort(call.graph(), keys,
                   {.descending = sort.descending,
                    .first_bit = sort.first_bit,
                    .end_bit = sort.end_bit,
                    .output_keys = sort.in_place ? keys : call.per_element<K>("sorted keys")});
    });
}

/// Creates a stable radix sort of keys of type K with values of type V, which has 1 to 4 words. Buffers: keys, values;
/// with `in_place` false also sorted keys, sorted values.
template <class K, class V>
Result<Call> sort_call(const Context& context, const CallOptions& options,
                       const std::type_identity_t<SortCallOptions<K>>& sort = {}) {
    return Call::create(context, detail::named(options, "sort"), [&](CallBuilder& call) {
        const auto keys = call.per_element<K>("keys");
        const auto values = call.per_element<V>("values");
        const auto sorted_keys = sort.in_place ? keys : call.per_element<K>("sorted keys");
        radix_sort<K, V>(call.graph(), keys,
                         {.values = values,
                          .descending = sort.descending,
                          .first_bit = sort.first_bit,
                          .end_bit = sort.end_bit,
                          .output_keys = sorted_keys,
                          .output_values = sort.in_place ? values : call.per_element<V>("sorted values")});
    });
}

/// Creates an argsort: see `argsort`. The keys are not modified. Buffers: keys, indices.
template <class K>
Result<Call> argsort_call(const Context& context, const CallOptions& options,
                          const std::type_identity_t<SortCallOptions<K>>& sort = {}) {
    return Call::create(context, detail::named(options, "argsort"), [&](CallBuilder& call) {
        const auto keys = call.per_element<K>("keys");
        argsort(call.graph(), keys,
                {.descending = sort.descending,
                 .first_bit = sort.first_bit,
                 .end_bit = sort.end_bit,
                 .output_values = call.per_element<std::uint32_t>("indices")});
    });
}

/// Options of scan_call.
struct ScanCallOptions {
    ScanKind kind = ScanKind::inclusive;               ///< inclusive or exclusive
    std::variant<Operator, Monoid> op = Operator::add; ///< operator
    bool in_place = true;                              ///< false: the output is a further buffer
};

/// Creates a scan: see `scan`. Buffers: elements; with `in_place` false also results.
template <class T>
Result<Call> scan_call(const Context& context, const CallOptions& options, const ScanCallOptions& how = {}) {
    return Call::create(context, detail::named(options, "scan"), [&](CallBuilder& call) {
        const auto elements = call.per_element<T>("elements");
        scan(call.graph(), elements,
             {.kind = how.kind, .op = how.op, .output = how.in_place ? elements : call.per_element<T>("results")});
    });
}

/// Creates a selection of the elements that satisfy a predicate, in their order: see `select_if`. Buffers: elements,
/// selected elements, and a word for their number.
template <class T>
Result<Call> select_call(const Context& context, const CallOptions& options, const Predicate& predicate) {
    return Call::create(context, detail::named(options, "select"), [&](CallBuilder& call) {
        const auto elements = call.per_element<T>("elements");
        const auto selected = call.per_element<T>("selected elements");
        select_if(call.graph(), elements, predicate,
                  {.output = selected, .output_count = call.fixed<std::uint32_t>("number of selected elements", 1)});
    });
}

/// Creates a run-length encoding: see `run_length_encode`. Buffers: elements, values of the runs, lengths of the runs,
/// and a word for the number of runs.
template <class T>
Result<Call> run_length_encode_call(const Context& context, const CallOptions& options) {
    return Call::create(context, detail::named(options, "run-length encode"), [&](CallBuilder& call) {
        const auto elements = call.per_element<T>("elements");
        const auto values = call.per_element<T>("values of the runs");
        const auto lengths = call.per_element<std::uint32_t>("lengths of the runs");
        run_length_encode(call.graph(), elements,
                          {.output_values = values,
                           .output_lengths = lengths,
                           .output_count = call.fixed<std::uint32_t>("number of runs", 1)});
    });
}

/// Creates a reduction: see `reduce`. Buffers: elements, and one element for the result.
template <class T>
Result<Call> reduce_call(const Context& context, const CallOptions& options,
                         const std::variant<Operator, Monoid>& op = Operator::add) {
    return Call::create(context, detail::named(options, "reduce"), [&](CallBuilder& call) {
        const auto elements = call.per_element<T>("elements");
        reduce(call.graph(), elements, {.op = op, .output = call.fixed<T>("result", 1)});
    });
}

/// Creates a histogram: see `histogram`. Bins between edges are not available. Buffers: elements, and a word for each
/// bin.
template <class T>
Result<Call> histogram_call(const Context& context, const CallOptions& options, const Bins& bins) {
    return Call::create(context, detail::named(options, "histogram"), [&](CallBuilder& call) {
        const auto elements = call.per_element<T>("elements");
        histogram(call.graph(), elements, bins, {.output = call.fixed<std::uint32_t>("counts", bins.count)});
    });
}

/// Options of top_k_call.
struct TopKCallOptions {
    bool descending = false; ///< choose the largest keys, largest first
    bool sorted = true;      ///< false: the chosen keys are in the order of the input
};

/// Creates a choice of the `k` smallest or largest keys: see `top_k`. If there are fewer than `k` elements, the outputs
/// have as many. Buffers: keys, `k` chosen keys, `k` indices of the chosen keys.
template <class K>
Result<Call> top_k_call(const Context& context, const CallOptions& options, std::uint32_t k,
                        const TopKCallOptions& how = {}) {
    return Call::create(context, detail::named(options, "top-k"), [&](CallBuilder& call) {
        const auto keys = call.per_element<K>("keys");
        const auto chosen = call.fixed<K>("chosen keys", k);
        top_k(call.graph(), keys, k,
              {.descending = how.descending,
               .sorted = how.sorted,
               .output_keys = chosen,
               .output_indices = call.fixed<std::uint32_t>("indices of the chosen keys", k)});
    });
}

} // namespace weir
