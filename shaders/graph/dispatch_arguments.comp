#version 460

// Writes the arguments of indirect dispatches, from a count or from other arguments. If the gate is closed, no workgroups are dispatched.

layout(local_size_x = 1) in;

const uint FROM_COUNT_IN_BUFFER = 0; // operands: word, maximum count, elements per workgroup, minimum number of workgroups
const uint FROM_GIVEN_COUNT = 1;     // operands without the word: count, elements per workgroup, minimum number of workgroups
const uint FROM_GIVEN_GROUPS = 2;    // operands: x, y and z
const uint FROM_ARGUMENTS_IN_BUFFER = 3;

const uint MAX_DISPATCHES = 7;

layout(set = 0, binding = 0) readonly buffer Sources { uint sources[]; };
layout(set = 0, binding = 1) writeonly buffer Arguments { uint arguments[]; };
layout(set = 0, binding = 2) readonly buffer Gate { uint gate[]; };

layout(push_constant) uniform Push {
    uint dispatch_count;
    uint max_groups_x;
    uint is_gated;
    uint gate_word;
    uvec4 dispatches[MAX_DISPATCHES]; // word of the source, with a FROM_* in its upper two bits, and three operands
};

uvec3 groups_for(uint count, uint per_group, uint at_least) {
    uint groups = count / per_group + uint(count % per_group != 0);
    groups = max(groups, at_least);
    const uint y = max(1, groups / max_groups_x + uint(groups % max_groups_x != 0));
    // Rows of equal length leave the minimum number of workgroups without work.
    return uvec3(groups / y + uint(groups % y != 0), y, 1);
}

uvec3 groups_of(uvec4 dispatch) {
    const uint word = dispatch.x & 0x3FFFFFFF;
    switch (dispatch.x >> 30) {
    case FROM_COUNT_IN_BUFFER:
        return groups_for(min(sources[word], dispatch.y), dispatch.z, dispatch.w);
    case FROM_GIVEN_COUNT:
        return groups_for(dispatch.y, dispatch.z, dispatch.w);
    case FROM_ARGUMENTS_IN_BUFFER:
        return uvec3(sources[word], sources[word + 1], sources[word + 2]);
    default:
        return dispatch.yzw;
    }
}

void main() {
    const bool is_open = is_gated == 0 || gate[gate_word] != 0;
    for (uint i = 0; i < dispatch_count; ++i) {
        uvec3 groups = uvec3(0, 1, 1);
        if (is_open) {
            groups = groups_of(dispatches[i]);
        }
        arguments[3 * i] = groups.x;
        arguments[3 * i + 1] = groups.y;
        arguments[3 * i + 2] = groups.z;
    }
}
