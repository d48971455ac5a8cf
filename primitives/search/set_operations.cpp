#include <weir/primitives/set_operations.hpp>

#include <algorithm>
#include <string>
#include <utility>

#include <weir/primitives/scan.hpp>

#include "engine/text.hpp"
#include "primitives/kernel/checks.hpp"
#include "primitives/kernel/elementwise.hpp"
#include "primitives/kernel/interface.hpp"
#include "primitives/kernel/kernel.hpp"
#include "primitives/kernel/key_numbers.hpp"
#include "weir_shaders.hpp"

namespace weir {

namespace {

struct MergeInterface {
#include "shaders/search/merge_interface.h"
};
struct SetInterface {
#include "shaders/search/set_operation_interface.h"
};

using detail::SetRequest;

constexpr std::uint64_t max_keys = (std::uint64_t{1} << 32) - (1U << 20); // places a little past the end fit 32 bits

std::uint32_t number_of(SetRequest::Operation operation) {
    switch (operation) {
    case SetRequest::Operation::intersect: return SetInterface::SET_INTERSECTION;
    case SetRequest::Operation::subtract: return SetInterface::SET_DIFFERENCE;
    case SetRequest::Operation::subtract_both: return SetInterface::SET_SYMMETRIC_DIFFERENCE;
    default: return SetInterface::SET_UNION;
    }
}

bool check(Graph& graph, const SetRequest& request) {
    const std::uint64_t most = std::uint64_t{request.first.count.max} + request.second.count.max;
    if (most >= max_keys) {
        graph.fail({ErrorCode::limit_exceeded,
                    concat(request.name, ": ", most, " keys; less than ", max_keys, " are possible")});
        return false;
    }
    const std::uint32_t words = request.element.words();
    const auto has_room = [&](const char* what, const detail::MergeRequest::Array& array) {
        return check_room(graph, request.name, {what, array.keys, array.key_capacity}, array.count.max, words);
    };
    const BufferId written[] = {request.output.keys, request.count};
    const BufferId seen[] = {request.first.keys, buffer_of(request.first.count), request.second.keys,
                             buffer_of(request.second.count)};
    return has_room("the first keys' buffer", request.first) && has_room("the second keys' buffer", request.second) &&
           has_room("the output's keys' buffer", request.output) &&
           check_room(graph, request.name, {"the count's buffer", request.count, request.count.capacity}, 1, 1) &&
           check_apart(graph, request.name, written, seen);
}

/// Adds the passes of a request that was checked.
class SetOperation {
public:
    SetOperation(Graph& graph, const SetRequest& request)
        : graph_(graph), request_(request), workgroup_(plain_workgroup(graph.capabilities())),
          items_(request.element.words() == 1 ? 9 : 5), // an odd number avoids bank conflicts
          most_(request.first.count.max + request.second.count.max),
          tiles_(std::max(1U, divide_up(most_, workgroup_ * items_))),
          firsts_(count_inputs(request.first.count, request.first.keys)),
          seconds_(count_inputs(request.second.count, request.first.keys)) {}

    void add() {
        if (tiles_ == 1) {
            add_tiles(true, request_.name);
            return;
        }
        splits_ = graph_.transient_buffer<std::uint32_t>(concat(request_.name, " splits"), tiles_ + 1);
        counts_ = graph_.transient_buffer<std::uint32_t>(concat(request_.name, " tile counts"), tiles_);
        add_splits();
        add_tiles(false, concat(request_.name, ": counts"));
        scan(graph_, counts_, {.kind = ScanKind::exclusive, .output = counts_, .total = request_.count});
        add_tiles(true, request_.name);
    }

private:
    /// What all passes have.
    Pass pass(const Packed& shader, std::string name) {
        Pass pass;
        pass.shader = ShaderSource::packed(shader, name);
        pass.name = std::move(name);
        pass.push = {firsts_.max_count, firsts_.word, seconds_.max_count, seconds_.word};
        set_bindings(pass, {{MergeInterface::FIRST_COUNT_BINDING, firsts_.binding},
                            {MergeInterface::SECOND_COUNT_BINDING, seconds_.binding},
                            {MergeInterface::FIRST_BINDING, read(request_.first.keys)},
                            {MergeInterface::SECOND_BINDING, read(request_.second.keys)}});
        set_constants(pass, MergeInterface{.WORKGROUP = workgroup_,
                                           .ITEMS = items_,
                                           .WORDS = request_.element.words(),
                                           .NUMBERS = key_numbers(request_.element.scalar),
                                           .FIRST_ON_GPU = firsts_.on_gpu,
                                           .SECOND_ON_GPU = seconds_.on_gpu});
        return pass;
    }

    void add_splits() {
        Pass splits = pass(shaders::merge_splits, concat(request_.name, ": splits"));
        set_bindings(splits, {{MergeInterface::SPLITS_BINDING, write(splits_)}});
        splits.dispatch = Dispatch::elements(tiles_ + 1, workgroup_, 1);
        graph_.add_pass(std::move(splits));
    }

    /// Tiles that write their keys, or their counts.
    void add_tiles(bool writes, std::string name) {
        const bool alone = tiles_ == 1;
        // A buffer that stands in for a written one has to be written by the pass as well.
        const BufferId written = writes ? request_.output.keys : counts_;
        Pass tiles = pass(shaders::set_operation, std::move(name));
        set_bindings(
            tiles, {{MergeInterface::SPLITS_BINDING, alone ? unused(request_.first.keys) : read(splits_)},
                    {MergeInterface::OUTPUT_BINDING, writes ? write(request_.output.keys) : unused(written)},
                    {SetInterface::TILE_COUNTS_BINDING, writes ? unused(written) : write(counts_)},
                    {SetInterface::TILE_BEGINS_BINDING, writes && !alone ? read(counts_) : unused(request_.first.keys)},
                    {SetInterface::SET_COUNT_BINDING, alone ? write(request_.count) : unused(written)}});
        set_constants(tiles,
                      SetInterface{.SET_OPERATION = number_of(request_.operation), .WRITES = writes, .ALONE = alone});
        tiles.dispatch = Dispatch::elements(most_, workgroup_ * items_, 1);
        graph_.add_pass(std::move(tiles));
    }

    Graph& graph_;
    const SetRequest& request_;
    std::uint32_t workgroup_, items_, most_, tiles_;
    CountInputs firsts_, seconds_;
    BufferRef<std::uint32_t> splits_, counts_;
};

} // namespace

void detail::add_set_operation(Graph& graph, const SetRequest& request) {
    if (check(graph, request)) {
        SetOperation(graph, request).add();
    }
}

} // namespace weir
