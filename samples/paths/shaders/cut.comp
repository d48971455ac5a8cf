// The cuts of all lines, with the keys by which they are sorted: draw, row, column.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "dispatch.glsl"

#include "line.glsl"

layout(local_size_x = 256) in;

layout(std430, set = 0, binding = 0) readonly buffer LineDraws {
    uint line_draws[];
};
layout(std430, set = 0, binding = 1) readonly buffer Lines {
    ivec4 lines[];
};
layout(std430, set = 0, binding = 2) readonly buffer Sources {
    uint sources[];
};
layout(std430, set = 0, binding = 3) readonly buffer Ranks {
    uint ranks[];
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

void main() {
    const uint i = weir_workgroup_index() * 256 + gl_LocalInvocationIndex;
    if (i >= min(cut_count, capacity)) {
        return;
    }
    const uint line = sources[i];
    const uint draw = line_draws[line];
    const Cut cut = cut_of(lines[line], int(ranks[i]));
    const uint place = uint(cut.row) * (columns + 2) + uint(cut.column + 1);
#if KEY_WORDS == 1
    keys[i] = draw * places + place;
#else
    keys[2 * i] = draw << place_bits | place;
    keys[2 * i + 1] = draw >> 1 >> (31 - place_bits);
#endif
    cuts[i] = uvec2(cut.top, cut.bottom);
}
