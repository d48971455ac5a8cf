// Computes the cuts of all lines, with their sort keys: row of tiles, draw, column.
#version 460
#extension GL_GOOGLE_include_directive : require

#include <weir/dispatch.glsl>

#include "line.glsl"

layout(local_size_x = 256) in;

layout(std430, set = 0, binding = 0) readonly buffer LineDraws {
    uint line_draws[]; // bit 31: the draw is not anti-aliased
};
layout(std430, set = 0, binding = 1) readonly buffer Lines {
    ivec4 lines[];
};
layout(std430, set = 0, binding = 2) readonly buffer Offsets {
    uint offsets[]; // first cut of each line
};
layout(std430, set = 0, binding = 3) readonly buffer LineNumber {
    uint line_count;
};
layout(std430, set = 0, binding = 4) readonly buffer Number {
    uint cut_count;
};
layout(std430, set = 0, binding = 5) writeonly buffer Keys {
    uint keys[];
};
layout(std430, set = 0, binding = 6) writeonly buffer Cuts {
    uvec2 cuts[];
};

uint weir_offset_of(uint line) {
    return offsets[line];
}

#include <weir/slot_search.glsl>

void main() {
    const uint i = weir_workgroup_index() * 256 + gl_LocalInvocationIndex;
    if (i >= min(cut_count, capacity)) {
        return;
    }
    const uint line = weir_item_of_slot(i, 0, min(line_count, items));
    const uint draw = line_draws[line] & ~(1u << 31), aliased = line_draws[line] >> 31;
    const Cut cut = cut_of(lines[line], int(i - offsets[line]));
    const uint row = uint(cut.row), past = uint(cut.column + 1);
#if KEY_WORDS == 1
    keys[i] = (row * draw_count + draw) * (columns + 2) + past;
#else
    keys[2 * i] = draw << column_bits | past;
    keys[2 * i + 1] = row << row_shift | draw >> (32 - column_bits);
#endif
    cuts[i] = uvec2(cut.top | aliased * cut_is_aliased, cut.bottom);
}
