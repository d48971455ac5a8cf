// Finds the first pair of each block by a search in the sorted pairs. One subgroup per block; each step examines one
// pair per invocation.
#version 460
#extension GL_KHR_shader_subgroup_ballot : require

layout(local_size_x = 256) in;

layout(push_constant) uniform Push {
    uint block_count;
    uint room; // capacity for pairs
};

layout(std430, set = 0, binding = 0) readonly buffer Blocks {
    uint blocks[];
};
layout(std430, set = 0, binding = 1) readonly buffer Pairs {
    uint pairs;
};
layout(std430, set = 0, binding = 2) writeonly buffer Ranges {
    uint ranges[]; // first pair of each block, then the end of the last block
};

void main() {
    const uint number = gl_WorkGroupID.x * gl_NumSubgroups + gl_SubgroupID;
    if (number > block_count) {
        return;
    }
    // Candidates for the first pair that is not before the block. It may also be one past them.
    uint first = 0, count = min(pairs, room);
    while (count > 0) {
        const uint part = (count + gl_SubgroupSize - 1) / gl_SubgroupSize, last = (gl_SubgroupInvocationID + 1) * part - 1;
        const bool is_before = last < count && blocks[first + last] < number; // then so is all of the part
        const uint skipped = subgroupBallotBitCount(subgroupBallot(is_before)) * part;
        first += skipped;
        count = min(part - 1, count - skipped);
    }
    if (subgroupElect()) {
        ranges[number] = first;
    }
}
