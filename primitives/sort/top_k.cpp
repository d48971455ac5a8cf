#include <weir/primitives/top_k.hpp>

#include <algorithm>
#include <bit>
#include <utility>

#include "engine/base/strings.hpp"
#include "primitives/kernel/checks.hpp"
#include "primitives/kernel/elementwise.hpp"
#include "primitives/kernel/interface.hpp"
#include "primitives/kernel/kernel.hpp"
#include "primitives/kernel/key_numbers.hpp"
#include "weir_shaders.hpp"

namespace weir {

namespace {

struct SelectInterface {
#include "shaders/sort/radix_select_interface.h"
};

constexpr std::uint32_t max_keys = 0U - (1U << 20); // so that indices slightly beyond the end fit 32 bits

using detail::RadixSelectRequest;

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

} // namespace

std::uint32_t detail::candidate_room(Graph& graph, const RadixSelectTuning& tuning, std::uint32_t keys,
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

void detail::add_radix_select(Graph& graph, const RadixSelectRequest& request) {
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

} // namespace weir
