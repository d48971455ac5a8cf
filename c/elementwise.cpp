#include <weir/primitives/adjacent_difference.hpp>
#include <weir/primitives/copy_ranges.hpp>
#include <weir/primitives/fill.hpp>
#include <weir/primitives/gather.hpp>
#include <weir/primitives/histogram.hpp>
#include <weir/primitives/narrow.hpp>
#include <weir/primitives/shuffle.hpp>
#include <weir/primitives/transform.hpp>

#include "c/convert.hpp"

using namespace weir::c;
using weir::Graph;

namespace {

/// Returns the bits of a bound of even bins.
std::uint32_t bound(const void* value, const char* name) {
    return *value_of<std::uint32_t>(needed(value, name));
}

weir::Bins bins_of(const Graph& graph, const weir_bins* bins, weir_type type) {
    const auto given = options_or_zeros(bins);
    switch (given.kind) {
    case WEIR_BINS_BYTES: return weir::Bins::bytes();
    case WEIR_BINS_EVEN:
        if (type != WEIR_U32 && type != WEIR_I32 && type != WEIR_F32) {
            refuse("even bins cannot be of type " + type_name(type));
        }
        return {.kind = weir::Bins::Kind::even,
                .count = given.count,
                .type = {static_cast<weir::Scalar>(type), 1},
                .lower = bound(given.lower, "the lower bound of the bins"),
                .upper = bound(given.upper, "the upper bound of the bins")};
    case WEIR_BINS_DIGIT: return weir::Bins::digit(given.shift, given.bits != 0 ? given.bits : 8);
    case WEIR_BINS_EDGES: {
        using EdgeTypes = Types<std::uint32_t, std::int32_t, float>;
        return with_type(EdgeTypes(), "the input", type, [&]<class T>(std::type_identity<T>) {
            return weir::Bins::between(input<T>(graph, given.edges, "the buffer of edges"));
        });
    }
    case WEIR_BINS_EXPRESSION: return weir::Bins::by(given.count, expression_of(given.expression));
    default: refuse("bin kind " + std::to_string(static_cast<unsigned>(given.kind)) + " does not exist");
    }
}

weir::ElementType element_of(weir_type type) {
    return {static_cast<weir::Scalar>(static_cast<unsigned>(type) & 0xFFU), (static_cast<unsigned>(type) >> 8U) + 1};
}

} // namespace

weir_buffer_ref weir_fill(weir_graph* graph, weir_buffer_ref output, const void* value) {
    return add(graph, __func__, [&](Graph& to) {
        needed(value, "the value");
        return with_words(Structs(), "the output", output.type, [&]<class T>(std::type_identity<T>) {
            return to_c(weir::fill(to, sized_input<T>(to, output, "the output"), *value_of<T>(value)), output.type);
        });
    });
}

weir_buffer_ref weir_iota(weir_graph* graph, weir_buffer_ref output, const void* start, const void* step) {
    return add(graph, __func__, [&](Graph& to) {
        return with_type(Numbers(), "the output", output.type, [&]<class T>(std::type_identity<T>) {
            return to_c(weir::iota(to, input<T>(to, output, "the output"), value_of<T>(start).value_or(T(0)),
                                   value_of<T>(step).value_or(T(1))));
        });
    });
}

weir_buffer_ref weir_transform(weir_graph* graph, weir_buffer_ref in, weir_type to_type,
                               const weir_expression* expression, weir_buffer_ref output) {
    return add(graph, __func__, [&](Graph& to) {
        // Untyped, because a template instance for each pair of types would be too many.
        const auto is_element = [](auto) { return true; };
        with_type(Elements(), "the input", in.type, is_element);
        with_type(Elements(), "the output", to_type, is_element);
        check(to, in, "the input");
        if (in.id == 0) {
            refuse("the input is null");
        }
        const auto by = expression_of(expression);
        weir_buffer_ref out = given_or_transient(to, output, "transformed", to_type, in.count.max);
        out.count = in.count;
        weir::detail::add_transform(to, {.from = element_of(in.type),
                                         .to = element_of(to_type),
                                         .expression = &by,
                                         .count = count_of(in.count),
                                         .input = id_of(in),
                                         .output = id_of(out),
                                         .input_capacity = in.capacity,
                                         .output_capacity = out.capacity});
        return out;
    });
}

weir_buffer_ref weir_gather(weir_graph* graph, weir_buffer_ref items, weir_buffer_ref indices, weir_buffer_ref output) {
    return add(graph, __func__, [&](Graph& to) {
        const auto at = input<std::uint32_t>(to, indices, "the buffer of indices");
        return with_words(Structs(), "the buffer of items", items.type, [&]<class T>(std::type_identity<T>) {
            return to_c(weir::gather(to, sized_input<T>(to, items, "the buffer of items"), at,
                                     {.output = sized<T>(to, output, "the output")}),
                        items.type);
        });
    });
}

weir_buffer_ref weir_scatter(weir_graph* graph, weir_buffer_ref items, weir_buffer_ref indices,
                             weir_buffer_ref output) {
    return add(graph, __func__, [&](Graph& to) {
        const auto at = input<std::uint32_t>(to, indices, "the buffer of indices");
        return with_words(Structs(), "the buffer of items", items.type, [&]<class T>(std::type_identity<T>) {
            return to_c(weir::scatter(to, sized_input<T>(to, items, "the buffer of items"), at,
                                      sized_input<T>(to, output, "the output")),
                        items.type);
        });
    });
}

weir_buffer_ref weir_adjacent_difference(weir_graph* graph, weir_buffer_ref in, weir_buffer_ref output) {
    return add(graph, __func__, [&](Graph& to) {
        return with_type(Numbers(), "the input", in.type, [&]<class T>(std::type_identity<T>) {
            return to_c(weir::adjacent_difference(to, input<T>(to, in, "the input"),
                                                  {.output = typed<T>(to, output, "the output")}));
        });
    });
}

weir_buffer_ref weir_shuffle(weir_graph* graph, weir_buffer_ref items, weir_count seed, weir_buffer_ref output) {
    return add(graph, __func__, [&](Graph& to) {
        return with_words(Structs(), "the buffer of items", items.type, [&]<class T>(std::type_identity<T>) {
            return to_c(weir::shuffle(to, sized_input<T>(to, items, "the buffer of items"), count_of(seed),
                                      {.output = sized<T>(to, output, "the output")}),
                        items.type);
        });
    });
}

weir_buffer_ref weir_random_permutation(weir_graph* graph, weir_count count, weir_count seed, weir_buffer_ref output) {
    return add(graph, __func__, [&](Graph& to) {
        return to_c(
            weir::random_permutation(to, count_of(count), count_of(seed), {.output = words(to, output, "the output")}));
    });
}

void weir_copy_ranges(weir_graph* graph, weir_buffer_ref source, weir_buffer_ref destination, weir_buffer_ref sizes,
                      weir_buffer_ref source_offsets, weir_buffer_ref destination_offsets, std::uint32_t max_elements) {
    add(graph, __func__, [&](Graph& to) {
        const weir::CopiedRanges ranges{
            .sizes = input<std::uint32_t>(to, sizes, "the buffer of sizes"),
            .source_offsets = input<std::uint32_t>(to, source_offsets, "the buffer of offsets in the source"),
            .destination_offsets =
                input<std::uint32_t>(to, destination_offsets, "the buffer of offsets in the destination")};
        with_words(Structs(), "the source", source.type, [&]<class T>(std::type_identity<T>) {
            weir::copy_ranges(to, sized_input<T>(to, source, "the source"),
                              sized_input<T>(to, destination, "the destination"), ranges,
                              {.max_elements = max_elements});
            return true;
        });
    });
}

weir_buffer_ref weir_histogram(weir_graph* graph, weir_buffer_ref in, const weir_bins* bins, weir_buffer_ref output) {
    return add(graph, __func__, [&](Graph& to) {
        const auto by = bins_of(to, bins, in.type);
        return with_type(Elements(), "the input", in.type, [&]<class T>(std::type_identity<T>) {
            return to_c(
                weir::histogram(to, input<T>(to, in, "the input"), by, {.output = words(to, output, "the output")}));
        });
    });
}

weir_buffer_ref weir_multi_histogram(weir_graph* graph, weir_buffer_ref in, const weir_bins* const* bins,
                                     std::uint32_t channel_count, weir_buffer_ref output) {
    return add(graph, __func__, [&](Graph& to) {
        items(bins, channel_count, "the list of bins");
        const auto number = static_cast<weir_type>(static_cast<unsigned>(in.type) & 0xFFU);
        std::vector<weir::Bins> by;
        for (std::uint32_t i = 0; i < channel_count; ++i) {
            by.push_back(bins_of(to, bins[i], number));
        }
        using Channels = Joined<Types<std::uint32_t>, Vectors>::type;
        return with_type(Channels(), "the input", in.type, [&]<class T>(std::type_identity<T>) {
            return to_c(weir::multi_histogram(to, input<T>(to, in, "the input"), by,
                                              {.output = words(to, output, "the output")}));
        });
    });
}

weir_buffer_ref weir_widen(weir_graph* graph, weir_buffer_ref in, weir_buffer_ref output) {
    return add(graph, __func__, [&](Graph& to) {
        return with_type(NarrowNumbers(), "the input", in.type, [&]<class N>(std::type_identity<N>) {
            return to_c(weir::widen(to, input<N>(to, in, "the input"),
                                    {.output = typed<weir::Wide<N>>(to, output, "the output")}));
        });
    });
}

weir_buffer_ref weir_narrow(weir_graph* graph, weir_buffer_ref in, weir_type to_type, weir_buffer_ref output) {
    return add(graph, __func__, [&](Graph& to) {
        return with_type(NarrowNumbers(), "the output", to_type, [&]<class N>(std::type_identity<N>) {
            return to_c(weir::narrow<N>(to, input<weir::Wide<N>>(to, in, "the input"),
                                        {.output = typed<N>(to, output, "the output")}));
        });
    });
}
