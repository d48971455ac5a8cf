#include "primitives/search/merge_path.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "engine/base/strings.hpp"
#include "primitives/kernel/key_numbers.hpp"
#include "weir_shaders.hpp"

namespace weir {

namespace {

/// Returns the number of lanes per search. If there are few searches, several lanes each finish sooner: fewer loads
/// depend on each other. If there are many searches, one lane each is cheapest: it loads the fewest keys.
std::uint32_t lanes_for(std::uint32_t searches) {
    return std::clamp(std::bit_floor(65536 / std::max(1U, searches)), 1U, 8U);
}

} // namespace

MergePath::MergePath(Graph& graph, const char* name, ElementType element, const detail::MergeRequest::Array& first,
                     const detail::MergeRequest::Array& second, std::uint32_t most_workgroup, std::uint32_t items)
    : graph(graph), name(name), first_keys(first.keys), second_keys(second.keys), first_count(first.count),
      second_count(second.count), subgroup(choose_subgroup(graph, name, 0)), most(first.count.max + second.count.max),
      workgroup(std::min(most_workgroup, max_workgroup(graph.capabilities(), subgroup))), tile(workgroup * items),
      tiles(divide_up(most, tile)),
      split_lanes(lanes_for(tiles)), constants{.WORKGROUP = workgroup,
                                               .ITEMS = items,
                                               .WORDS = element.words(),
                                               .NUMBERS = key_numbers(element.scalar),
                                               .SUBGROUP = subgroup.known,
                                               .SHUFFLE_BARRIERS = graph.capabilities().shuffles_need_barriers(),
                                               .SPLIT_LANES = split_lanes} {}

Pass MergePath::pass(const Packed& shader, const std::string& pass_name) const {
    using Interface = MergePathInterface;
    Pass pass = kernel_pass(pass_name, shader, subgroup);
    set_constants(pass, constants);
    set_bindings(pass, {{Interface::FIRST_BINDING, read(first_keys)}, {Interface::SECOND_BINDING, read(second_keys)}});
    add_count(pass, first_count, first_keys, Interface::FIRST_COUNT_BINDING, &Interface::FIRST_ON_GPU);
    add_count(pass, second_count, first_keys, Interface::SECOND_COUNT_BINDING, &Interface::SECOND_ON_GPU);
    return pass;
}

BufferRef<std::uint32_t> MergePath::add_splits() const {
    const auto splits = graph.transient_buffer<std::uint32_t>(concat(name, " splits"), tiles + 1);
    Pass pass = this->pass(shaders::merge_splits, concat(name, ": splits"));
    set_bindings(pass, {{MergePathInterface::SPLITS_BINDING, write(splits)}});
    pass.dispatch = Dispatch::elements(tiles + 1, workgroup / split_lanes, 1);
    graph.add_pass(std::move(pass));
    return splits;
}

} // namespace weir
