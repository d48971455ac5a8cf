#include <weir/primitives/top_k.hpp>

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include <weir/primitives/detail/compaction_request.hpp>

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
    const CountInputs count = count_inputs(request.count, request.keys);
    const CountInputs wanted = count_inputs(request.wanted, request.keys);
    const CountInputs all = count_inputs(has_candidates ? request.all : Count(0), request.keys);
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
                        {Interface::COUNTS_BINDING, count.binding},
                        {Interface::WANTED_COUNT_BINDING, wanted.binding},
                        {Interface::ALL_COUNT_BINDING, all.binding},
                        {Interface::CHOSEN_COUNT_BINDING,
                         has_candidates ? write(request.chosen_count) : unused(request.found)}});
    pass.push = {count.max_count, count.word, wanted.max_count, wanted.word,         request.is_place ? 1U : 0U,
                 first,           end,        shape.group_keys, list_keys_of(shape), all.max_count,
                 all.word};
    set_constants(pass, Interface{.WORKGROUP = shape.workgroup,
                                  .SUBGROUP = subgroup.known,
                                  .KEY_WORDS = words,
                                  .NUMBERS = key_numbers(request.key),
                                  .DESCENDING = request.descending,
                                  .COUNT_ON_GPU = count.on_gpu,
                                  .WANTED_ON_GPU = wanted.on_gpu,
                                  .COPIES = graph.capabilities().max_workgroup_memory >= 32768 ? 2U : 1U,
                                  .WRITES_KEY = writes_key,
                                  .FROM_SAMPLE = request.from == From::sample,
                                  .FROM_CANDIDATES = has_candidates,
                                  .ALL_ON_GPU = all.on_gpu});
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

/// Adds a search. Returns `found`.
template <class K>
BufferRef<std::uint32_t> radix_select(Graph& graph, BufferRef<K> keys, RadixSelectRequest request) {
    request.key = element_type<K>.scalar;
    request.count = keys.count;
    request.keys = keys;
    request.key_capacity = keys.capacity;
    request.found = graph.transient_buffer<std::uint32_t>(concat(request.name, ": key found"), found_words);
    add_radix_select(graph, request);
    return request.found;
}

template <class K>
bool check(Graph& graph, BufferRef<K> keys, std::uint32_t capacity, const TopKOptions<K>& options) {
    const auto refuse = [&](const std::string& why) {
        graph.fail({ErrorCode::invalid_argument, "top k: " + why});
        return false;
    };
    if (!keys.valid()) {
        return refuse("the input is null");
    }
    if (!options.want_keys && options.output_keys.valid()) {
        return refuse(".output_keys is set but .want_keys is false");
    }
    const auto too_small = [&](const auto& output) { return output.valid() && output.capacity < capacity; };
    if (const bool of_keys = too_small(options.output_keys); of_keys || too_small(options.output_indices)) {
        return refuse(concat(of_keys ? ".output_keys" : ".output_indices", " requires a capacity of at least ",
                             capacity, " elements"));
    }
    return true;
}

/// Adds the selection of the keys that come first, in the order of the input.
template <class K>
TopKResult<K> select_keys(Graph& graph, BufferRef<K> keys, const Count& k, std::uint32_t capacity,
                          SelectOptions<K> chosen, const TopKOptions<K>& options) {
    using Classifier = detail::CompactionRequest::Classifier;
    const std::uint32_t max_candidates = candidate_capacity(graph, options.tuning.select, keys.count.max, capacity);
    // Selects the keys before the found key and the required number of its equals (`order`), or all keys that do not
    // come after it (`up_to`). `map`: indices of the keys of `from`.
    const auto select = [&](Classifier classifier, BufferRef<K> from, BufferRef<std::uint32_t> found,
                            SelectOptions<K> outputs, BufferRef<std::uint32_t> map) {
        detail::CompactionRequest request;
        request.classifier = classifier;
        request.descending = options.descending;
        request.flags = found;
        request.index_map = map;
        request.counts_nothing = max_candidates == 0 || classifier == Classifier::up_to;
        outputs.tuning = options.tuning.compaction;
        return detail::select(graph, classifier == Classifier::up_to ? "top k: candidates" : "top k", from, outputs,
                              request);
    };
    RadixSelectRequest search{
        .name = "top k: last key", .wanted = k, .descending = options.descending, .tuning = options.tuning.select};
    BufferRef<K> remaining = keys;
    BufferRef<std::uint32_t> chosen_count;
    if (max_candidates != 0) {
        // Candidates in the order of the input: the keys up to a key found in a sample. There are enough of them except
        // in about one run in a million.
        chosen_count = detail::given_or_transient(graph, options.output_count, "top k: count", 1);
        RadixSelectRequest sample = search;
        sample.name = "top k: sample";
        sample.from = RadixSelectRequest::From::sample;
        SelectOptions<K> outputs{.want_indices = chosen.want_indices};
        outputs.output = graph.transient_buffer<K>("top k: candidates", max_candidates);
        if (outputs.want_indices) {
            outputs.output_indices =
                graph.transient_buffer<std::uint32_t>("top k: candidates' indices", max_candidates);
        }
        const SelectResult<K> candidates =
            select(Classifier::up_to, keys, radix_select(graph, keys, sample), outputs, {});
        RadixSelectRequest among = search;
        among.name = "top k: last candidate";
        among.from = RadixSelectRequest::From::candidates;
        among.all = keys.count;
        among.chosen_count = chosen_count;
        const BufferRef<std::uint32_t> found = radix_select(graph, candidates.items, among);
        select(Classifier::order, candidates.items.with_count(graph.count_in(found, 3, max_candidates)), found, chosen,
               candidates.indices);
        // If there are too few candidates or too many, choose from all keys. Otherwise this count is 0.
        search.finds_nothing = false;
        remaining = keys.with_count(graph.count_in(found, 4, keys.count.max));
    } else {
        chosen.output_count = options.output_count;
    }
    SelectResult<K> rest = select(Classifier::order, remaining, radix_select(graph, remaining, search), chosen, {});
    if (max_candidates == 0) {
        chosen_count = rest.count;
    }
    const Count count = graph.count_in(chosen_count, 0, capacity);
    return {.keys = rest.items.with_count(count), .indices = rest.indices.with_count(count), .count = chosen_count};
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
    const std::uint32_t capacity = std::max(1U, std::min(k.max, keys.count.max));
    if (!check(graph, keys, capacity, options)) {
        return {};
    }
    // The selection writes the keys in the order of the input. If they are sorted, it writes to transients.
    SelectOptions<K> chosen{.want_items = options.want_keys || options.sorted, .want_indices = options.want_indices};
    if (chosen.want_items) {
        chosen.output = options.sorted ? graph.transient_buffer<K>("top k: chosen keys", capacity)
                                       : given_or_transient(graph, options.output_keys, "top k", capacity);
    }
    if (chosen.want_indices) {
        chosen.output_indices = options.sorted
                                    ? graph.transient_buffer<std::uint32_t>("top k: chosen indices", capacity)
                                    : given_or_transient(graph, options.output_indices, "top k: indices", capacity);
    }
    const TopKResult<K> result = select_keys(graph, keys, k, capacity, chosen, options);
    if (!options.sorted) {
        return result;
    }
    const RadixSortResult<K> sorted = radix_sort(graph, result.keys,
                                                 {.values = result.indices,
                                                  .descending = options.descending,
                                                  .want_keys = options.want_keys,
                                                  .output_keys = options.output_keys,
                                                  .output_values = options.output_indices,
                                                  .tuning = options.tuning.sort});
    return {.keys = sorted.keys, .indices = sorted.values, .count = result.count};
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
