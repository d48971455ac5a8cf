// What is drawn in each tile: strips, and the filled gaps behind them, with the keys by which they are sorted: tiles.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "dispatch.glsl"

#include "records.glsl"

layout(local_size_x = 256) in;

layout(push_constant) uniform Push {
    uint columns;  // of tiles
    uint capacity; // commands
};

layout(std430, set = 0, binding = 0) readonly buffer Strips {
    Strip strips[];
};
layout(std430, set = 0, binding = 1) readonly buffer Sources {
    uint sources[];
};
layout(std430, set = 0, binding = 2) readonly buffer Ranks {
    uint ranks[];
};
layout(std430, set = 0, binding = 3) readonly buffer Number {
    uint command_count;
};
layout(std430, set = 0, binding = 4) writeonly buffer Tiles {
    uint tiles[];
};
layout(std430, set = 0, binding = 5) writeonly buffer Commands {
    uint commands[]; // strip * 2, + 1 for a tile of its gap
};

void main() {
    const uint i = weir_workgroup_index() * 256 + gl_LocalInvocationIndex;
    if (i >= min(command_count, capacity)) {
        return;
    }
    const uint strip = sources[i];
    const uint place = strips[strip].place;
    const uint after = place & 0xFFFFu;                // the column after the strip's own, as that is + 1
    const uint behind = ranks[i] + (after == 0 ? 1 : 0); // no command for a strip left of the picture
    tiles[i] = (place >> 16) * columns + after - 1 + behind;
    commands[i] = strip << 1 | (behind == 0 ? 0 : 1);
}
