#include <weir/primitives/set_operations.hpp>

#include <string>
#include <utility>

#include <weir/primitives/scan.hpp>

#include "engine/text.hpp"
#include "primitives/kernel/checks.hpp"
#include "primitives/kernel/elementwise.hpp"
#include "primitives/search/merge_path.hpp"
#include "weir_shaders.hpp"

namespace weir {

namespace {

struct SetInterface {
#include "shaders/search/set_operation_interface.h"
};

using detail::SetRequest;

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
    if (most >= too_many_merged_keys) {
        graph.fail({ErrorCode::limit_exceeded,
                    concat(request.name, ": ", most, " keys; less than ", too_many_merged_keys, " are possible")});
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
        : graph_(graph), request_(request), path_(graph, request.name, request.element, request.first, request.second,
                                                  256, request.element.words() == 1 ? 9 : 5) {
    } // an odd number avoids bank conflicts

    void add() {
        if (path_.tiles <= 1) {
            add_tiles(true, request_.name);
            return;
        }
        counts_ = graph_.transient_buffer<std::uint32_t>(concat(request_.name, " tile counts"), path_.tiles);
        splits_ = path_.add_splits();
        add_tiles(false, concat(request_.name, ": counts"));
        scan(graph_, counts_, {.kind = ScanKind::exclusive, .output = counts_, .total = request_.count});
        add_tiles(true, request_.name);
    }

private:
    /// Tiles that write their keys, or their counts.
    void add_tiles(bool writes, const std::string& name) {
        const bool alone = path_.tiles <= 1;
        // A buffer that stands in for a written one has to be written by the pass as well.
        const BufferId written = writes ? request_.output.keys : counts_;
        Pass tiles = path_.pass(shaders::set_operation, name);
        set_bindings(
            tiles, {{MergePathInterface::SPLITS_BINDING, alone ? unused(request_.first.keys) : read(splits_)},
                    {MergePathInterface::OUTPUT_BINDING, writes ? write(request_.output.keys) : unused(written)},
                    {SetInterface::TILE_COUNTS_BINDING, writes ? unused(written) : write(counts_)},
                    {SetInterface::TILE_BEGINS_BINDING, writes && !alone ? read(counts_) : unused(request_.first.keys)},
                    {SetInterface::SET_COUNT_BINDING, alone ? write(request_.count) : unused(written)}});
        set_constants(tiles,
                      SetInterface{.SET_OPERATION = number_of(request_.operation), .WRITES = writes, .ALONE = alone});
        tiles.dispatch = Dispatch::elements(path_.most, path_.tile, 1);
        graph_.add_pass(std::move(tiles));
    }

    Graph& graph_;
    const SetRequest& request_;
    MergePath path_;
    BufferRef<std::uint32_t> splits_, counts_;
};

} // namespace

void detail::add_set_operation(Graph& graph, const SetRequest& request) {
    if (check(graph, request)) {
        SetOperation(graph, request).add();
    }
}

} // namespace weir
