#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <weir/engine/export.hpp>
#include <weir/graph/graph.hpp>
#include <weir/primitives/compaction.hpp>
#include <weir/primitives/detail/outputs.hpp>
#include <weir/primitives/element.hpp>
#include <weir/primitives/layout.hpp>

namespace weir {
struct Predicate;
} // namespace weir

namespace weir::detail {

/// A compaction whose element type is known at run time only.
struct CompactionRequest {
    /// Method that assigns elements to parts. `order` has one part: the elements that come first according to
    /// radix_select.comp, in the order of the input. `up_to` has one part: the elements that do not come after the key
    /// found by radix_select.comp.
    enum class Classifier : std::uint8_t { comparison, flags, bits, custom, order, heads, up_to };
    /// Outputs of one part. Either all parts have `items` or none has. Either all parts have `indices` or none has.
    struct Part {
        BufferId items = {}, indices = {};
        std::uint64_t item_words = 0; ///< size of `items` in words
        std::uint64_t index_words = 0;
    };

    const char* name = "";
    ElementType element = {};
    Count count = {};
    std::uint64_t large_count = 0; ///< if not 0: the number of elements, instead of `count`
    BufferId large_total = {};     ///< if valid: receives the number of selected elements, 64 bits, instead of `counts`
    BufferId input = {};
    std::uint64_t input_words = 0;
    WordLayout input_layout = {}, output_layout = {};
    Classifier classifier = Classifier::comparison;
    /// One or two predicates. An element belongs to the first part whose predicate it satisfies. The rest belongs to
    /// the next part, if there is one, and is dropped otherwise.
    std::vector<const Predicate*> predicates = {};
    /// `flags`: one word per element. `bits`: one bit per element. `order` and `up_to`: the result of
    /// radix_select.comp.
    BufferRef<std::uint32_t> flags = {};
    bool descending = false;              ///< `order` and `up_to`: the largest elements come first
    std::vector<Part> parts = {};         ///< 1 to 3
    BufferRef<std::uint32_t> counts = {}; ///< one word per part
    std::uint32_t value_words = 0;        ///< words per value; 0: no values
    BufferId values = {}, output_values = {};
    /// Capacities of `values` and `output_values`, in values.
    std::uint64_t value_capacity = 0, output_value_capacity = 0;
    BufferRef<std::uint32_t> lengths = {};   ///< optional: length of each run
    BufferRef<std::uint32_t> index_map = {}; ///< optional: index of each element; one part only
    /// If true, an empty input launches one workgroup, which stores a count of 0. If false, an empty input launches no
    /// workgroup and stores no count.
    bool counts_nothing = true;
    bool repeated_only = false;
    CompactionTuning tuning = {};
};

/// Adds the pass. Returns the capacity of each part, in elements.
WEIR_API std::vector<std::uint32_t> add_compaction(Graph& graph, const CompactionRequest& request);

/// Requested outputs of one part.
template <class T>
struct CompactionOutput {
    bool items = true, indices = false;
    BufferRef<T> given_items;
    BufferRef<std::uint32_t> given_indices;
};

/// Adds the compaction described by `request`. Fills in its input, element type, parts and counts. If indices are
/// requested for one part, all parts have them.
template <class T>
std::vector<SelectResult<T>> compact(Graph& graph, CompactionRequest request, BufferRef<T> input,
                                     const std::vector<CompactionOutput<T>>& outputs, BufferRef<std::uint32_t> counts) {
    constexpr std::uint32_t words = sizeof(T) / 4;
    std::vector<SelectResult<T>> selected(outputs.size());
    const auto fail = [&](ErrorCode code, const char* why) {
        graph.fail({code, request.name + std::string(": ") + why});
        return selected;
    };
    if (!input.valid()) {
        return fail(ErrorCode::invalid_argument, "the input is null");
    }
    request.element = element_type<T>;
    request.count = input.count;
    request.input = input;
    request.input_words = std::uint64_t{input.capacity} * words;
    request.counts = given_or_transient(graph, counts, request.name + std::string(" count"), outputs.size());
    const std::uint64_t most = input.count.max;
    const std::uint64_t stride = request.output_layout.stride != 0 ? request.output_layout.stride : words;
    const std::uint64_t needed = (request.output_layout.offset + most * stride + words - 1) / words;
    bool indices = false;
    for (const CompactionOutput<T>& output : outputs) {
        indices = indices || output.indices || output.given_indices.valid();
        if (!output.items && output.given_items.valid()) {
            return fail(ErrorCode::invalid_argument, "an output of items is set but .want_items is false");
        }
        if (output.items && !output.given_items.valid() && needed > ~0U) {
            return fail(ErrorCode::limit_exceeded, "the items would exceed 2^32 words");
        }
    }
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        CompactionRequest::Part part;
        if (outputs[i].items) {
            selected[i].items =
                given_or_transient(graph, outputs[i].given_items, request.name + std::string(" items"), needed);
            part.items = selected[i].items;
            part.item_words = std::uint64_t{selected[i].items.capacity} * words;
        }
        if (indices) {
            selected[i].indices =
                given_or_transient(graph, outputs[i].given_indices, request.name + std::string(" indices"), most);
            part.indices = selected[i].indices;
            part.index_words = selected[i].indices.capacity;
        }
        request.parts.push_back(part);
    }
    const std::vector<std::uint32_t> room = add_compaction(graph, request);
    for (std::uint32_t i = 0; i < outputs.size(); ++i) {
        const Count count = graph.count_in(request.counts, i, room.at(i));
        selected[i].items.count = count;
        selected[i].indices.count = count;
        selected[i].count = request.counts;
    }
    return selected;
}

/// Adds a compaction to one part.
template <class T>
SelectResult<T> select(Graph& graph, const char* name, BufferRef<T> input, const SelectOptions<T>& options,
                       CompactionRequest request) {
    request.name = name;
    request.input_layout = options.input_layout;
    request.output_layout = options.output_layout;
    request.tuning = options.tuning;
    return compact<T>(graph, request, input,
                      {{options.want_items, options.want_indices, options.output, options.output_indices}},
                      options.output_count)
        .front();
}

} // namespace weir::detail
