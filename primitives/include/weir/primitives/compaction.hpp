#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <weir/engine/export.hpp>
#include <weir/graph/graph.hpp>
#include <weir/primitives/element.hpp>
#include <weir/primitives/instrument.hpp>
#include <weir/primitives/predicate.hpp>
#include <weir/primitives/scan.hpp>

// The common parts of selection, partition, unique and run-length encoding.

namespace weir {

/// The shape of the kernel; 0: chosen by device and size. Results do not depend on it.
struct CompactionTuning {
    std::uint32_t workgroup = 0;     ///< invocations: a power of two from the subgroup size to the limit of the device
    std::uint32_t rows = 0;          ///< elements per invocation, up to 32
    std::uint32_t subgroup_size = 0; ///< where the device lets a pipeline require one
    std::uint32_t max_spins = 0;     ///< polls of a late predecessor before a workgroup counts its elements itself
};

/// The selected elements, in the order of the input.
template <class T>
struct Selected {
    BufferRef<T> items;               ///< the elements; count: `count`, but at most what every output has room for
    BufferRef<std::uint32_t> indices; ///< the index of each in the input; the same count
    BufferRef<std::uint32_t> count;   ///< word p: number of elements of part p, those that did not fit included
};

/// Options of select_if and of the functions like it. An output that is given is also wanted.
template <class T>
struct SelectOptions {
    BufferRef<T> output = {}; ///< not valid: a new transient with room for all elements
    /// Whether the elements are wanted. Without elements and indices they are only counted.
    bool items = true;
    BufferRef<std::uint32_t> output_indices = {}; ///< not valid: a new transient, if indices are wanted
    bool indices = false;                         ///< whether the indices of the elements are wanted
    BufferRef<std::uint32_t> count = {};          ///< a word; not valid: a new transient
    WordLayout input_layout = {};                 ///< of the input
    WordLayout output_layout = {};                ///< of the items
    FaultInjection faults = {};                   ///< for tests
    BufferRef<std::uint32_t> counters = {};       ///< if valid: four or five words that become LookBackCounters
    CompactionTuning tuning = {};                 ///< shape of the kernel
};

namespace detail {

/// A compaction whose element type is known at run time only.
struct CompactionRequest {
    /// How parts are told apart. `order` has one part: the elements that radix_select.comp found to come first, in the
    /// order of the input. `up_to` has one part: those that are not behind the key that it found.
    enum class Classifier : std::uint8_t { comparison, flags, bits, custom, order, heads, up_to };
    struct Part { // items and indices each in all parts or in none ///< items and indices: each in all parts or in none
        BufferId items = {}, indices = {};
        std::uint64_t item_words = 0; ///< size of `items`
        std::uint64_t index_words = 0;
    };

    const char* name = "";
    ElementType element = {};
    Count count = {};
    BufferId input = {};
    std::uint64_t input_words = 0;
    WordLayout input_layout = {}, output_layout = {};
    Classifier classifier = Classifier::comparison;
    std::vector<const Predicate*> predicates = {}; ///< of all parts but the last
    /// Words, or words of bits; for `order` and `up_to`, what radix_select.comp found.
    BufferRef<std::uint32_t> flags = {};
    bool descending = false;              ///< for `order`: the greatest come first
    std::vector<Part> parts = {};         ///< 1 to 3
    BufferRef<std::uint32_t> counts = {}; ///< one word per part
    std::uint32_t value_words = 0;        ///< of the value of each element; 0: no values
    BufferId values = {}, output_values = {};
    /// Values that fit in the two buffers.
    std::uint64_t value_capacity = 0, output_value_capacity = 0;
    BufferRef<std::uint32_t> lengths = {};   ///< if valid: of runs
    BufferRef<std::uint32_t> index_map = {}; ///< if valid: the index of each element; of one part
    bool counts_nothing = true;              ///< false: no workgroup is launched, and no count stored, for no elements
    bool repeated_only = false;
    const FaultInjection* faults = nullptr;
    BufferRef<std::uint32_t> counters = {};
    CompactionTuning tuning = {};
};

/// Adds the pass. Returns how many elements each part has room for.
WEIR_API std::vector<std::uint32_t> add_compaction(Graph& graph, const CompactionRequest& request);

/// `given`, or if that is not valid a new transient for `capacity` elements, at least one.
template <class T>
BufferRef<T> given_or_transient(Graph& graph, BufferRef<T> given, std::string name, std::uint64_t capacity) {
    const auto room = static_cast<std::uint32_t>(capacity > 0 ? capacity : 1);
    return given.valid() ? given : graph.transient_buffer<T>(std::move(name), room);
}

/// The wanted outputs of a part.
template <class T>
struct CompactionOutput {
    bool items = true, indices = false;
    BufferRef<T> given_items;
    BufferRef<std::uint32_t> given_indices;
};

/// Adds the compaction of `request`, whose input, element type, parts and counts are filled in here. If indices are
/// wanted of one part, all parts have them.
template <class T>
std::vector<Selected<T>> compact(Graph& graph, CompactionRequest request, BufferRef<T> input,
                                 const std::vector<CompactionOutput<T>>& outputs, BufferRef<std::uint32_t> counts) {
    constexpr std::uint32_t words = sizeof(T) / 4;
    std::vector<Selected<T>> selected(outputs.size());
    const auto fail = [&](ErrorCode code, const char* why) {
        graph.fail({code, request.name + std::string(": ") + why});
        return selected;
    };
    if (!input.valid()) {
        return fail(ErrorCode::invalid_argument, "the input is not a buffer of a graph");
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
            return fail(ErrorCode::invalid_argument, "an output is given for items that are not requested");
        }
        if (output.items && !output.given_items.valid() && needed > ~0U) {
            return fail(ErrorCode::limit_exceeded, "the items would reach past 2^32 words");
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

/// A compaction to one part.
template <class T>
Selected<T> select(Graph& graph, const char* name, BufferRef<T> input, const SelectOptions<T>& options,
                   CompactionRequest request) {
    request.name = name;
    request.input_layout = options.input_layout;
    request.output_layout = options.output_layout;
    request.faults = &options.faults;
    request.counters = options.counters;
    request.tuning = options.tuning;
    return compact<T>(graph, request, input, {{options.items, options.indices, options.output, options.output_indices}},
                      options.count)
        .front();
}

} // namespace detail

} // namespace weir
