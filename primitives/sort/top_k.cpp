#include <weir/primitives/top_k.hpp>

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include <weir/primitives/detail/compaction_request.hpp>
#include <weir/primitives/radix_sort.hpp>

#include "engine/base/strings.hpp"
#include "primitives/kernel/checks.hpp"
#include "primitives/kernel/elementwise.hpp"
#include "primitives/kernel/interface.hpp"
#include "primitives/kernel/kernel.hpp"
#include "primitives/kernel/key_numbers.hpp"
#include "weir_shaders.hpp"

namespace weir {

namespace {

/// A radix select whose key type is known at run time only.
struct RadixSelectRequest {
    /// Keys that are searched: all keys, a sample of them, or the candidates that a sample yielded.
    enum class From : std::uint8_t { all, sample, candidates };

    const char* name = "";
    From from = From::all;
    Scalar key = Scalar::u32;
    Count count = {};
    BufferId keys = {};
    std::uint64_t key_capacity = 0;
    Count wanted = {};     ///< rank of the key, counted from 1; limited to the number of keys
    bool is_place = false; ///< `wanted` is the place of the key, counted from 0
    bool descending = false;
    /// Receives three words for a compaction by order; with candidates, `found_words` words.
    BufferRef<std::uint32_t> found = {};
    /// Launch the kernel and write `found` even if there are no keys.
    bool finds_nothing = true;
    Count all = {}; ///< candidates only: count of the keys from which they were selected
    /// Candidates only: receives the number of chosen keys, the smaller of `wanted` and `all`.
    BufferRef<std::uint32_t> chosen_count = {};
    BufferId output = {}; ///< if valid: receives the key
    std::uint64_t output_capacity = 0;
    RadixSelectTuning tuning = {};
};

/// Words that a search among candidates writes: three for a compaction by order, the number of candidates to choose
/// from, and the number of all keys to choose from if the candidates do not suffice. One of the last two is 0.
constexpr std::uint32_t found_words = 5;

struct SelectInterface {
#include "shaders/sort/radix_select_interface.h"
};

constexpr std::uint32_t max_keys = 0U - (1U << 20); // so that indices slightly beyond the end fit 32 bits

bool refuse(Graph& graph, const RadixSelectRequest& request, ErrorCode code, const std::string& why) {
    graph.fail({code, concat(request.name, ": ", why)});
    return false;
}

bool check(Graph& graph, const RadixSelectRequest& request, std::uint32_t words) {
    const std::uint32_t most = request.count.max;
    if (!check_room(graph, request.name, {"the input", request.keys, request.key_capacity}, most, words)) {
        return false;
    }
    if (most >= max_keys) {
        return refuse(graph, request, ErrorCode::limit_exceeded,
                      concat(most, " keys; less than ", max_keys, " are supported"));
    }
    if (request.is_place && request.wanted.kind == Count::Kind::constant && request.wanted.max >= most) {
        return refuse(
            graph, request, ErrorCode::invalid_argument,
            concat("place ", request.wanted.max, ", counted from 0, exceeds the last of at most ", most, " keys"));
    }
    if (!request.output.valid()) {
        return true;
    }
    const BufferId seen[] = {request.keys, buffer_of(request.count), buffer_of(request.wanted)};
    return check_room(graph, request.name, {"the output", request.output, request.output_capacity}, 1, words) &&
           check_apart(graph, request.name, {&request.output, 1}, seen);
}

/// Chooses the kernel shape by device and size.
RadixSelectTuning choose_shape(const Capabilities& device, const SubgroupChoice& subgroup,
                               const RadixSelectRequest& request) {
    constexpr std::uint32_t keys_per_invocation = 16; // enough to outweigh clearing and summing the counters
    RadixSelectTuning shape = request.tuning;
    if (shape.workgroup == 0) {
        shape.workgroup = std::min(512U, max_workgroup(device, subgroup));
    }
    if (shape.group_keys == 0) {
        shape.group_keys = counting_share(device, request.count.max, shape.workgroup * keys_per_invocation);
    }
    return shape;
}

/// Returns the capacity of a workgroup's list in keys.
std::uint32_t list_keys_of(const RadixSelectTuning& shape) {
    return shape.group_keys / 8;
}

/// Returns the size of a workgroup that works alone.
std::uint32_t alone_workgroup(const Capabilities& device, const SubgroupChoice& subgroup,
                              const RadixSelectTuning& tuning) {
    return tuning.workgroup != 0 ? tuning.workgroup : std::min(1024U, max_workgroup(device, subgroup));
}

/// Adds a pass that finds digits [first, end).
void add_select_pass(Graph& graph, const RadixSelectRequest& request, const SubgroupChoice& subgroup,
                     const RadixSelectTuning& shape, std::uint32_t first, std::uint32_t end, BufferId lists,
                     BufferId totals) {
    using Interface = SelectInterface;
    using From = RadixSelectRequest::From;
    const std::uint32_t words = ElementType{request.key}.words();
    const std::uint32_t digits = Interface::WORD_DIGITS * words;
    const bool has_all = request.from == From::all, has_candidates = request.from == From::candidates;
    const Access access = first == 0 ? Access::shader_write : Access::shader_read_write;
    const bool writes_key = end == digits && request.output.valid();
    const bool uses_lists = request.from != From::sample;
    Pass pass = kernel_pass(request.name, shaders::radix_select, subgroup);
    if (end - first == 1) {
        pass.name += concat(", digit ", first);
    }
    set_bindings(pass, {{Interface::KEYS_BINDING, read(request.keys)},
                        {Interface::FOUND_BINDING, {request.found, access}},
                        {Interface::LISTS_BINDING, !uses_lists  ? unused(request.found)
                                                   : first == 0 ? write_first(lists)
                                                                : read_write(lists)},
                        {Interface::TOTALS_BINDING, read_write(totals)},
                        {Interface::OUTPUT_BINDING, writes_key ? write(request.output) : unused(request.found)},
                        {Interface::CHOSEN_COUNT_BINDING,
                         has_candidates ? write(request.chosen_count) : unused(request.found)}});
    set_constants(pass, Interface{.WORKGROUP = shape.workgroup,
                                  .SUBGROUP = subgroup.known,
                                  .KEY_WORDS = words,
                                  .NUMBERS = key_numbers(request.key),
                                  .DESCENDING = request.descending,
                                  .COPIES = graph.capabilities().max_workgroup_memory >= 32768 ? 2U : 1U,
                                  .WRITES_KEY = writes_key,
                                  .FROM_SAMPLE = request.from == From::sample,
                                  .FROM_CANDIDATES = has_candidates});
    add_count(pass, request.count, request.keys, Interface::COUNTS_BINDING, &Interface::COUNT_ON_GPU);
    add_count(pass, request.wanted, request.keys, Interface::WANTED_COUNT_BINDING, &Interface::WANTED_ON_GPU);
    push_words(pass, {request.is_place ? 1U : 0U, first, end, shape.group_keys, list_keys_of(shape)});
    add_count(pass, has_candidates ? request.all : Count(0), request.keys, Interface::ALL_COUNT_BINDING,
              &Interface::ALL_ON_GPU);
    pass.dispatch = has_all ? Dispatch::elements(request.count, shape.group_keys, request.finds_nothing ? 1 : 0)
                            : Dispatch::groups(1);
    graph.add_pass(std::move(pass));
}

/// Returns the candidate capacity if up to `chosen` of up to `keys` keys are chosen by means of a sample; 0: no sample
/// is used.
std::uint32_t candidate_capacity(Graph& graph, const RadixSelectTuning& tuning, std::uint32_t keys,
                                 std::uint32_t chosen) {
    constexpr std::uint32_t enough_keys = 1U << 22, most_chosen = 1U << 16, most_share = 64;
    const bool pays = tuning.sample_from != 0
                          ? keys >= tuning.sample_from
                          : keys >= enough_keys && chosen <= std::min(most_chosen, keys / most_share);
    if (!pays) {
        return 0;
    }
    // The key found in the sample is 5 standard deviations and at least 4 sample keys beyond the expected place of the
    // last chosen key. The capacity is several times what this requires.
    const SubgroupChoice subgroup = choose_subgroup(graph, "top k", tuning.subgroup_size);
    const std::uint64_t sample =
        std::uint64_t{SelectInterface::SAMPLE_KEYS} * alone_workgroup(graph.capabilities(), subgroup, tuning);
    const std::uint64_t room = 2 * std::uint64_t{chosen} + 32 * (keys / sample + 1);
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(room, keys));
}

/// Adds the passes of a search.
void add_radix_select(Graph& graph, const RadixSelectRequest& request) {
    const std::uint32_t words = ElementType{request.key}.words();
    if (!check(graph, request, words)) {
        return;
    }
    const Capabilities& device = graph.capabilities();
    const SubgroupChoice subgroup = choose_subgroup(graph, request.name, request.tuning.subgroup_size);
    RadixSelectTuning shape = choose_shape(device, subgroup, request);
    const std::uint32_t most = std::min(max_workgroup(device, subgroup), SelectInterface::RADIX);
    if (!std::has_single_bit(shape.workgroup) || shape.workgroup < subgroup.least || shape.workgroup > most ||
        shape.group_keys % 4 != 0 || shape.group_keys > 1U << 18) {
        refuse(graph, request, ErrorCode::invalid_argument,
               shape.group_keys % 4 != 0 || shape.group_keys > 1U << 18
                   ? concat(shape.group_keys, " keys per workgroup; multiples of 4 up to 2^18 are supported")
                   : concat("a workgroup of ", shape.workgroup, " invocations; powers of two from ", subgroup.least,
                            " to ", most, " are supported"));
        return;
    }
    const std::uint32_t digits = SelectInterface::WORD_DIGITS * words;
    const auto totals =
        graph.state_buffer<std::uint32_t>("radix select totals", SelectInterface::FIRST_TOTAL + SelectInterface::RADIX);
    if (request.from != RadixSelectRequest::From::all) {
        shape.workgroup = alone_workgroup(device, subgroup, request.tuning);
        shape.group_keys = divide_up(request.count.max, 4) * 4; // one workgroup processes all keys
        const bool from_sample = request.from == RadixSelectRequest::From::sample;
        const auto lists =
            from_sample ? BufferRef<std::uint32_t>{}
                        : graph.transient_buffer<std::uint32_t>("radix select list", 1 + list_keys_of(shape) * words);
        // The key found in a sample need not be exact: its first 22 bits suffice for one word, 32 bits for two.
        const std::uint32_t end = from_sample ? words + 1 : digits;
        add_select_pass(graph, request, subgroup, shape, 0, end, lists, totals);
        return;
    }
    const std::uint32_t groups = std::max(1U, divide_up(request.count.max, shape.group_keys));
    const std::uint32_t at_once = groups == 1 ? digits : 1;
    const auto lists =
        graph.transient_buffer<std::uint32_t>("radix select lists", groups * (1 + list_keys_of(shape) * words));
    for (std::uint32_t digit = 0; digit < digits; digit += at_once) {
        add_select_pass(graph, request, subgroup, shape, digit, digit + at_once, lists, totals);
    }
}

/// Keys whose type is known at run time only.
struct Keys {
    BufferId buffer;
    std::uint32_t capacity = 0;
    Count count;
};

/// Outputs of a selection. `keys` and `indices` are optional.
struct Outputs {
    Keys keys;
    BufferRef<std::uint32_t> indices;
};

/// Adds the passes of top_k.
class TopK {
public:
    TopK(Graph& graph, Scalar key, bool descending, const TopKTuning& tuning)
        : graph_(graph), key_(key), words_(ElementType{key}.words()), descending_(descending), tuning_(tuning) {}

    /// Adds the selection of the keys that come first, at most `capacity`, in the order of the input. Returns the
    /// buffer of their number: `count` or, if that is not valid, a new transient.
    BufferRef<std::uint32_t> select(const Keys& keys, const Count& k, std::uint32_t capacity, const Outputs& chosen,
                                    BufferRef<std::uint32_t> count) {
        const std::uint32_t max_candidates = candidate_capacity(graph_, tuning_.select, keys.count.max, capacity);
        RadixSelectRequest last{.name = "top k: last key", .wanted = k};
        if (max_candidates == 0) {
            count = detail::given_or_transient(graph_, count, "top k count", 1);
            add_selection(Classifier::order, keys, search(keys, last), chosen, count, true, {});
            return count;
        }
        // Candidates in the order of the input: the keys up to a key found in a sample. There are enough of them except
        // in about one run in a million.
        count = detail::given_or_transient(graph_, count, "top k: count", 1);
        Outputs candidates{.keys = transient("top k: candidates", max_candidates)};
        if (chosen.indices.valid()) {
            candidates.indices = graph_.transient_buffer<std::uint32_t>("top k: candidates' indices", max_candidates);
        }
        const auto sampled =
            search(keys, {.name = "top k: sample", .from = RadixSelectRequest::From::sample, .wanted = k});
        const auto number = graph_.transient_buffer<std::uint32_t>("top k: candidates count", 1);
        add_selection(Classifier::up_to, keys, sampled, candidates, number, true, {});
        candidates.keys.count = graph_.count_in(number, 0, max_candidates);
        const auto found = search(candidates.keys, {.name = "top k: last candidate",
                                                    .from = RadixSelectRequest::From::candidates,
                                                    .wanted = k,
                                                    .all = keys.count,
                                                    .chosen_count = count});
        candidates.keys.count = graph_.count_in(found, 3, max_candidates);
        add_selection(Classifier::order, candidates.keys, found, chosen, {}, false, candidates.indices);
        // If there are too few candidates or too many, choose from all keys. Otherwise this count is 0.
        Keys remaining = keys;
        remaining.count = graph_.count_in(found, 4, keys.count.max);
        last.finds_nothing = false;
        add_selection(Classifier::order, remaining, search(remaining, last), chosen, {}, false, {});
        return count;
    }

    /// Adds the sort of the chosen keys.
    void sort(const Outputs& from, const Outputs& to) {
        detail::RadixSortRequest request;
        request.key = key_;
        request.key_bits = request.end_bit = 32 * words_;
        request.count = from.keys.count;
        request.keys = from.keys.buffer;
        request.capacity = from.keys.capacity;
        request.values = from.indices;
        request.value_capacity = from.indices.capacity;
        request.value_words = from.indices.valid() ? 1 : 0;
        request.output_keys = to.keys.buffer;
        request.output_key_capacity = to.keys.capacity;
        request.output_values = to.indices;
        request.output_value_capacity = to.indices.capacity;
        request.descending = descending_;
        request.tuning = tuning_.sort;
        detail::add_radix_sort(graph_, request);
    }

    /// Returns a new transient for keys.
    Keys transient(const char* name, std::uint32_t capacity) {
        const BufferId buffer = words_ == 1 ? BufferId(graph_.transient_buffer<std::uint32_t>(name, capacity))
                                            : BufferId(graph_.transient_buffer<std::uint64_t>(name, capacity));
        return {buffer, capacity, capacity};
    }

private:
    using Classifier = detail::CompactionRequest::Classifier;

    /// Adds a search. Returns `found`.
    BufferRef<std::uint32_t> search(const Keys& keys, RadixSelectRequest request) {
        request.key = key_;
        request.count = keys.count;
        request.keys = keys.buffer;
        request.key_capacity = keys.capacity;
        request.descending = descending_;
        request.tuning = tuning_.select;
        request.found = graph_.transient_buffer<std::uint32_t>(concat(request.name, ": key found"), found_words);
        add_radix_select(graph_, request);
        return request.found;
    }

    /// Adds the selection of the keys before the found key and the required number of its equals (`order`), or of all
    /// keys that do not come after it (`up_to`). `map`: indices of the keys of `from`.
    void add_selection(Classifier classifier, const Keys& from, BufferRef<std::uint32_t> found, const Outputs& to,
                       BufferRef<std::uint32_t> count, bool counts_nothing, BufferRef<std::uint32_t> map) {
        detail::CompactionRequest request;
        request.name = classifier == Classifier::up_to ? "top k: candidates" : "top k";
        request.element = {key_, 1};
        request.count = from.count;
        request.input = from.buffer;
        request.input_words = std::uint64_t{from.capacity} * words_;
        request.classifier = classifier;
        request.flags = found;
        request.descending = descending_;
        request.parts = {{.items = to.keys.buffer,
                          .indices = to.indices,
                          .item_words = std::uint64_t{to.keys.capacity} * words_,
                          .index_words = to.indices.capacity}};
        request.counts = detail::given_or_transient(graph_, count, concat(request.name, " count"), 1);
        request.index_map = map;
        request.counts_nothing = counts_nothing;
        request.tuning = tuning_.compaction;
        detail::add_compaction(graph_, request);
    }

    Graph& graph_;
    Scalar key_;
    std::uint32_t words_;
    bool descending_;
    const TopKTuning& tuning_;
};

void refuse_top_k(Graph& graph, const std::string& why) {
    graph.fail({ErrorCode::invalid_argument, "top k: " + why});
}

} // namespace

namespace detail {

void add_kth_element(Graph& graph, const KthElementRequest& request) {
    const char* const name = "kth element";
    add_radix_select(graph, {.name = name,
                             .key = request.key,
                             .count = request.count,
                             .keys = request.keys,
                             .key_capacity = request.key_capacity,
                             .wanted = request.k,
                             .is_place = true,
                             .descending = request.descending,
                             .found = graph.transient_buffer<std::uint32_t>(concat(name, ": key found"), found_words),
                             .output = request.output,
                             .output_capacity = request.output_capacity,
                             .tuning = request.tuning});
}

template <class K>
TopKResult<K> choose_keys(Graph& graph, BufferRef<K> keys, const Count& k, const TopKOptions<K>& options) {
    if (!keys.valid()) {
        refuse_top_k(graph, "the input is null");
        return {};
    }
    if (!options.want_keys && options.output_keys.valid()) {
        refuse_top_k(graph, ".output_keys is set but .want_keys is false");
        return {};
    }
    const std::uint32_t capacity = std::max(1U, std::min(k.max, keys.count.max));
    const auto too_small = [&](const auto& output) { return output.valid() && output.capacity < capacity; };
    if (const bool of_keys = too_small(options.output_keys); of_keys || too_small(options.output_indices)) {
        refuse_top_k(graph, concat(of_keys ? ".output_keys" : ".output_indices", " requires a capacity of at least ",
                                   capacity, " elements"));
        return {};
    }
    TopKResult<K> result;
    if (options.want_keys) {
        result.keys = given_or_transient(graph, options.output_keys, "top k", capacity);
    }
    if (options.want_indices) {
        result.indices = given_or_transient(graph, options.output_indices, "top k: indices", capacity);
    }
    const Outputs outputs{{result.keys, result.keys.capacity, {}}, result.indices};
    TopK passes(graph, element_type<K>.scalar, options.descending, options.tuning);
    // The selection writes the keys in the order of the input. If they are sorted, it writes to transients.
    Outputs chosen = outputs;
    if (options.sorted) {
        chosen.keys = passes.transient("top k: chosen keys", capacity);
        if (options.want_indices) {
            chosen.indices = graph.transient_buffer<std::uint32_t>("top k: chosen indices", capacity);
        }
    }
    result.count = passes.select({keys, keys.capacity, keys.count}, k, capacity, chosen, options.output_count);
    result.keys.count = result.indices.count = chosen.keys.count = graph.count_in(result.count, 0, capacity);
    if (options.sorted) {
        passes.sort(chosen, outputs);
    }
    return result;
}

template WEIR_API TopKResult<std::uint32_t> choose_keys(Graph&, BufferRef<std::uint32_t>, const Count&,
                                                        const TopKOptions<std::uint32_t>&);
template WEIR_API TopKResult<std::int32_t> choose_keys(Graph&, BufferRef<std::int32_t>, const Count&,
                                                       const TopKOptions<std::int32_t>&);
template WEIR_API TopKResult<float> choose_keys(Graph&, BufferRef<float>, const Count&, const TopKOptions<float>&);
template WEIR_API TopKResult<std::uint64_t> choose_keys(Graph&, BufferRef<std::uint64_t>, const Count&,
                                                        const TopKOptions<std::uint64_t>&);
template WEIR_API TopKResult<std::int64_t> choose_keys(Graph&, BufferRef<std::int64_t>, const Count&,
                                                       const TopKOptions<std::int64_t>&);
template WEIR_API TopKResult<double> choose_keys(Graph&, BufferRef<double>, const Count&, const TopKOptions<double>&);

} // namespace detail

} // namespace weir
