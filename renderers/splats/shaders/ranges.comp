// Where the pairs of each tile begin, by a search among the sorted pairs. A subgroup has a tile, and looks at as many pairs at once as it has
// invocations.
#version 460
#extension GL_KHR_shader_subgroup_ballot : require

layout(local_size_x = 256) in;

layout(push_constant) uniform Push {
    uint tile_count;
    uint room; // pairs
};

layout(std430, set = 0, binding = 0) readonly buffer Tiles {
    uint tiles[];
};
layout(std430, set = 0, binding = 1) readonly buffer Pairs {
    uint pairs;
};
layout(std430, set = 0, binding = 2) writeonly buffer Ranges {
    uint ranges[]; // of each tile, then where the last one ends
};

void main() {
    const uint tile = gl_WorkGroupID.x * gl_NumSubgroups + gl_SubgroupID;
    if (tile > tile_count) {
        return;
    }
    uint first = 0, count = min(pairs, room); // the first pair that is not before the tile is one of these, or behind them
    while (count > 0) {
        const uint part = (count + gl_SubgroupSize - 1) / gl_SubgroupSize, last = (gl_SubgroupInvocationID + 1) * part - 1;
        const bool is_before = last < count && tiles[first + last] < tile; // as is all of the invocation's part
        const uint skipped = subgroupBallotBitCount(subgroupBallot(is_before)) * part;
        first += skipped;
        count = min(part - 1, count - skipped);
    }
    if (subgroupElect()) {
        ranges[tile] = first;
    }
}
