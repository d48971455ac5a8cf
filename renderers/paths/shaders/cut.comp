// Computes the cuts of all lines. KEY_WORDS=0: in bins, one per row of tiles. KEY_WORDS=1, 2: with sort keys: row of
// tiles, draw, column.
#version 460
#extension GL_GOOGLE_include_directive : require

layout(local_size_x = 256) in;

#include <weir/dispatch.glsl>
#include <weir/weir_subgroup.glsl>

#include "line.glsl"

layout(constant_id = 0) const uint bin_cuts = 256; // capacity of a bin

layout(std430, set = 0, binding = 0) readonly buffer LineDraws {
    uint line_draws[]; // bit 31: the draw is not anti-aliased
};
layout(std430, set = 0, binding = 1) readonly buffer Lines {
    ivec4 lines[];
};
layout(std430, set = 0, binding = 2) readonly buffer CutSlots {
    uint cut_slots[]; // items: lines
};
#if KEY_WORDS == 0
layout(std430, set = 0, binding = 3) writeonly buffer Bins {
    uvec2 bins[]; // draw and column, index of the cut
};
#else
layout(std430, set = 0, binding = 3) writeonly buffer Keys {
    uint keys[];
};
#endif
layout(std430, set = 0, binding = 4) writeonly buffer Cuts {
    uvec2 cuts[];
};
layout(std430, set = 0, binding = 5) buffer RowCuts {
    uint row_cuts[]; // number of cuts of each row
};

#define SLOTS cut_slots
#include "slots.glsl"

const uint no_row = ~0u;

// Returns the bits of a word of a ballot up to and including the lane's.
uint bits_up_to(uint lane, uint word) {
    return word < lane / 32 ? ~0u : word > lane / 32 ? 0 : ~0u >> 31 - lane % 32;
}

// Returns the place of a cut in its row. Adjacent lanes in the same row share an atomic, because few counters receive
// all cuts. All lanes must call it; those without a cut pass no_row.
uint place_in_row(uint row) {
    const uint lane = weir_lane(), previous_row = weir_shuffle(row, max(lane, 1) - 1);
    weir_await_lanes();
    const uvec4 heads = subgroupBallot(lane == 0 || previous_row != row);
    uint head = 0, end = weir_subgroup_size(); // lanes of the run with the same row
    [[unroll]] for (uint i = 0; i < 4; ++i) {
        const uint up_to = heads[i] & bits_up_to(lane, i), after = heads[3 - i] & ~bits_up_to(lane, 3 - i);
        head = up_to != 0 ? 32 * i + findMSB(up_to) : head;
        end = after != 0 ? 32 * (3 - i) + findLSB(after) : end;
    }
    uint first = 0;
    if (lane == head && row != no_row) {
        first = atomicAdd(row_cuts[row * row_stride], end - head);
    }
    return weir_shuffle(first, head) + lane - head;
}

void main() {
    const uint count = min(cut_slots[0], capacity), own = weir_workgroup_index() * 256 + weir_invocation();
    if (count == 0) {
        return;
    }
    const uint i = min(own, count - 1); // lanes without a cut take part in shuffles
    const uint line = item_of_slot(i);
    const uint draw = line_draws[line] & ~(1u << 31), aliased = line_draws[line] >> 31;
    const Cut cut = cut_of(lines[line], int(i - weir_offset_of(line)));
    const uint row = uint(cut.row), past = uint(cut.column + 1);
    const uint place = place_in_row(own < count ? row : no_row);
    if (own >= count) {
        return;
    }
#if KEY_WORDS == 0
    if (place < bin_cuts) {
        bins[row * bin_cuts + place] = uvec2(draw * (columns + 2) + past, i);
    }
#elif KEY_WORDS == 1
    keys[i] = (row * draw_count + draw) * (columns + 2) + past;
#else
    keys[2 * i] = draw << column_bits | past;
    keys[2 * i + 1] = row << row_shift | draw >> (32 - column_bits);
#endif
    cuts[i] = uvec2(cut.top | aliased * cut_is_aliased, cut.bottom);
}
