#include <weir/primitives/segmented_sort.hpp>

#include <algorithm>
#include <utility>

#include "engine/base/strings.hpp"
#include "primitives/kernel/interface.hpp"
#include "primitives/kernel/shapes.hpp"
#include "primitives/scan/scan_pass.hpp"
#include "primitives/sort/radix_tile.hpp"
#include "weir_shaders.hpp"

namespace weir {

namespace {

/// Constants and bindings of shaders/sort/segmented_sort.comp that are not in RadixTileInterface.
struct SegmentedSortInterface {
#include "shaders/sort/segmented_sort_interface.h"
};

using detail::SegmentedSortRequest;

constexpr const char* primitive = "segmented sort";
constexpr std::uint32_t most_keys_per_invocation = 16;
constexpr std::uint32_t usual_keys_per_invocation = 8; // fewer would increase the cost of a pass per key
constexpr std::uint32_t enough_workgroups = 512;       // to fill a device
constexpr std::uint32_t tile_segments = radix;         // maximum, because the number of a segment is a digit

struct Shape {
    SubgroupChoice subgroup;
    std::uint32_t workgroup = 0;
    std::uint32_t rows = 0; ///< maximum number of subgroups
    std::uint32_t keys_per_invocation = 0;
    std::uint32_t rounds = 0;
    std::uint32_t segments = 0; ///< per workgroup

    [[nodiscard]] std::uint32_t tile() const { return workgroup * keys_per_invocation; }
};

bool are_at_offsets(const SegmentedSortRequest& request) {
    return request.segments.kind == Segments::Kind::offsets;
}

/// Returns the length of segments of one length, limited to the number of keys.
std::uint32_t length_of(const SegmentedSortRequest& request) {
    return std::min(request.segments.length, request.capacity);
}

/// Returns the length of segments; for segments at offsets, the mean length.
std::uint32_t usual_length(const SegmentedSortRequest& request) {
    const std::uint32_t most = std::max(1U, request.segments.max_segments(request.capacity));
    return are_at_offsets(request) ? divide_up(request.capacity, most) : length_of(request);
}

/// Chooses the kernel shape by device and segments. Most segments should fit a tile, and the tiles should fill the
/// device.
Shape choose_shape(const Capabilities& device, const SubgroupChoice& subgroup, const SegmentedSortRequest& request) {
    const SegmentedSortTuning& tuning = request.tuning;
    const bool pairs = request.value_words != 0 || key_form(request.key).words > 1;
    const KernelShape& alone =
        row_for(kernel_shapes(device, pairs ? ShapeKernel::sort_pairs : ShapeKernel::sort_keys), 1);
    const std::uint32_t usual = usual_length(request);
    const std::uint64_t longest = !are_at_offsets(request) ? usual
                                  : request.longest != 0   ? request.longest
                                                           : std::uint64_t{usual} * 4;
    Shape shape;
    shape.subgroup = subgroup;
    shape.workgroup = tuning.workgroup;
    if (shape.workgroup == 0) {
        shape.workgroup =
            std::min({alone.workgroup, max_workgroup(device, subgroup), most_counter_rows(device) * subgroup.least});
    }
    if (shape.workgroup > max_workgroup(device, subgroup)) {
        return shape; // refused by check_tile
    }
    shape.rows = std::max(1U, shape.workgroup / subgroup.least);
    shape.keys_per_invocation = tuning.keys_per_invocation;
    if (shape.keys_per_invocation == 0) {
        shape.keys_per_invocation = most_keys_per_invocation;
        const auto halves = [&] {
            const std::uint32_t half = shape.tile() / 2;
            const bool has_spare_keys = half >= std::uint64_t{tile_segments} * usual;
            return shape.keys_per_invocation > 1 && half >= longest &&
                   (shape.keys_per_invocation > usual_keys_per_invocation || has_spare_keys ||
                    request.capacity / shape.tile() < enough_workgroups);
        };
        while (halves()) {
            shape.keys_per_invocation /= 2;
        }
    }
    shape.rounds = rounds_for(shape.tile(), pool_words(device, shape.rows));
    shape.segments = tuning.segments;
    if (shape.segments == 0) {
        // Lengths of segments at offsets vary. Leave some space, or the last segment of a workgroup would often not fit
        // the tile.
        const std::uint32_t room = are_at_offsets(request) ? shape.tile() / 8 * 7 : shape.tile();
        shape.segments = std::clamp(room / std::max(1U, usual), 1U, tile_segments);
    }
    return shape;
}

bool check(Graph& graph, const SegmentedSortRequest& request) {
    const auto kind = request.segments.kind;
    if (!check_segments(graph, primitive, request.segments, request.capacity)) {
        return false;
    }
    if (kind != Segments::Kind::length && kind != Segments::Kind::offsets) {
        graph.fail({ErrorCode::invalid_argument, concat(primitive, ": segments must be of one length or at offsets")});
        return false;
    }
    return check_sort(graph, primitive, request) &&
           check_enum(graph, primitive, "RadixRanks", request.tuning.ranks, RadixRanks::checked);
}

bool check(Graph& graph, const SegmentedSortRequest& request, const Shape& shape) {
    if (!check_tile(graph, primitive, shape.subgroup, shape.workgroup, shape.keys_per_invocation)) {
        return false;
    }
    // The numbers of a workgroup's segments must fit 32 bits, also beyond the last segment.
    constexpr std::uint32_t most_segments = 1U << 30, most_in_a_group = 1U << 12;
    const std::uint32_t segments = request.segments.max_segments(request.capacity);
    if (segments > most_segments) {
        graph.fail({ErrorCode::limit_exceeded,
                    concat(primitive, ": ", segments, " segments; at most ", most_segments, " are supported")});
        return false;
    }
    if (shape.segments > most_in_a_group) {
        graph.fail(
            {ErrorCode::limit_exceeded, concat(primitive, ": ", shape.segments, " segments per workgroup; at most ",
                                               most_in_a_group, " are supported")});
        return false;
    }
    return true;
}

bool same(BufferId a, BufferId b) {
    return a.valid() && a == b;
}

/// Adds the pass of a request that was checked.
void add_pass(Graph& graph, const SegmentedSortRequest& request, const Shape& shape) {
    const KeyForm form = key_form(request.key);
    SortDigits by = digits_of(request, form);
    if (by.digits.empty()) {
        by.add_empty();
    }
    const bool at_offsets = are_at_offsets(request);
    const std::uint32_t longest = !at_offsets            ? length_of(request)
                                  : request.longest != 0 ? request.longest
                                                         : request.capacity;
    const bool has_long_ones = longest > shape.tile();
    const bool keys_in_place = same(request.keys, request.output_keys);
    const bool values_in_place = same(request.values, request.output_values);

    // A buffer that stands in for a written one must also be written by the pass.
    const BufferId written = request.output_keys.valid() ? request.output_keys : request.output_values;
    const auto scratch = [&](const char* name, std::uint32_t words) {
        return has_long_ones && words != 0
                   ? write_first(graph.transient_buffer<std::uint32_t>(name, request.capacity * words))
                   : unused(written);
    };
    const auto output = [&](BufferId buffer, bool in_place) {
        return !buffer.valid() ? unused(written)
               : in_place      ? read_write(buffer)
               : has_long_ones ? write_first(buffer)
                               : write(buffer);
    };
    const Packed& shader = has_long_ones ? shaders::segmented_sort_long : shaders::segmented_sort;
    Pass pass = kernel_pass(primitive, shader, shape.subgroup);
    using Interface = SegmentedSortInterface;
    using Tile = RadixTileInterface;
    const Binding sorted_keys = request.output_keys.valid() ? output(request.output_keys, keys_in_place)
                                                            : scratch("unused segmented sort keys", form.words);
    set_bindings(pass, {{Tile::KEYS_BINDING, keys_in_place ? unused(request.keys) : read(request.keys)},
                        {Tile::SORTED_KEYS_BINDING, sorted_keys},
                        {Tile::VALUES_BINDING,
                         request.values.valid() && !values_in_place ? read(request.values) : unused(request.keys)},
                        {Tile::SORTED_VALUES_BINDING, output(request.output_values, values_in_place)},
                        {Interface::OFFSETS_BINDING, at_offsets ? read(request.segments.buffer) : unused(request.keys)},
                        {Interface::BETWEEN_KEYS_BINDING, scratch("segmented sort keys between passes", form.words)},
                        {Interface::BETWEEN_VALUES_BINDING,
                         scratch("segmented sort values between passes", request.value_words)}});
    set_constants(pass, Tile{.WORKGROUP = shape.workgroup,
                             .SUBGROUP = shape.subgroup.known,
                             .KEYS_PER_INVOCATION = shape.keys_per_invocation,
                             .ROUNDS = shape.rounds,
                             .ROWS = shape.rows,
                             .KEY_WORDS = form.words,
                             .FLOAT_KEYS = form.floating,
                             .WRITES_KEYS = request.output_keys.valid(),
                             .VALUE_WORDS = request.value_words,
                             .INDICES = request.indices,
                             .RANKS = tile_ranks(graph, request.tuning.ranks, by, form,
                                                 request.value_words != 0 || shape.segments > 1),
                             .SHUFFLE_BARRIERS = graph.capabilities().shuffles_need_barriers()});
    set_constants(pass, Interface{.KEYS_IN_PLACE = keys_in_place,
                                  .VALUES_IN_PLACE = values_in_place,
                                  .AT_OFFSETS = at_offsets,
                                  .GROUP_SEGMENTS = shape.segments,
                                  .END_GIVEN = request.segments.end_given});
    add_count(pass, request.count, request.keys, Tile::COUNTS_BINDING, &Tile::COUNT_ON_GPU);
    push_words(pass, {by.first_bit, by.end_bit, by.flips[0], by.flips[1], static_cast<std::uint32_t>(by.digits.size()),
                      by.low_passes});
    add_count(pass, at_offsets ? request.segments.count : Count(length_of(request)), request.keys,
              Interface::SEGMENT_COUNT_BINDING, &Interface::SEGMENT_COUNT_ON_GPU);
    if (at_offsets) {
        pass.dispatch = Dispatch::elements(request.segments.count, shape.segments);
    } else {
        const std::uint64_t group_keys = std::uint64_t{length_of(request)} * shape.segments;
        pass.dispatch =
            Dispatch::elements(request.count, static_cast<std::uint32_t>(std::min<std::uint64_t>(group_keys, ~0U)));
    }
    graph.add_pass(std::move(pass));
}

} // namespace

void detail::add_segmented_sort(Graph& graph, const SegmentedSortRequest& request) {
    if (!check(graph, request)) {
        return;
    }
    const SubgroupChoice subgroup = choose_subgroup(graph, primitive, request.tuning.subgroup_size);
    const Shape shape = choose_shape(graph.capabilities(), subgroup, request);
    if (check(graph, request, shape)) {
        add_pass(graph, request, shape);
    }
}

} // namespace weir
