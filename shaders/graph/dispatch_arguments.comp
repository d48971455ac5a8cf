#version 460

// Makes the arguments of an indirect dispatch: from a count, or from what would be dispatched, if a gate lets it.

layout(local_size_x = 1) in;

layout(constant_id = 0) const uint FROM = 0;
layout(constant_id = 1) const uint GATED = 0;

const uint FROM_COUNT_IN_BUFFER = 0;
const uint FROM_GIVEN_COUNT = 1;
const uint FROM_GIVEN_GROUPS = 2; // in three words from max_count on
const uint FROM_ARGUMENTS_IN_BUFFER = 3;

layout(set = 0, binding = 0) readonly buffer Counts { uint counts[]; };
layout(set = 0, binding = 1) writeonly buffer Arguments { uint arguments[3]; };
layout(set = 0, binding = 2) readonly buffer Gate { uint gate[]; };

layout(push_constant) uniform Push {
    uint word;
    uint max_count; // or the count itself
    uint per_group;
    uint at_least;
    uint max_groups_x;
    uint gate_word;
};

uvec3 groups_for(uint count) {
    uint groups = count / per_group + uint(count % per_group != 0);
    groups = max(groups, at_least);
    const uint y = max(1, groups / max_groups_x + uint(groups % max_groups_x != 0));
    // Even rows leave the fewest workgroups without work.
    return uvec3(groups / y + uint(groups % y != 0), y, 1);
}

void main() {
    uvec3 groups = uvec3(0, 1, 1);
    if (GATED == 0 || gate[gate_word] != 0) {
        if (FROM == FROM_COUNT_IN_BUFFER) {
            groups = groups_for(min(counts[word], max_count));
        } else if (FROM == FROM_GIVEN_COUNT) {
            groups = groups_for(max_count);
        } else if (FROM == FROM_GIVEN_GROUPS) {
            groups = uvec3(max_count, per_group, at_least);
        } else {
            groups = uvec3(counts[word], counts[word + 1], counts[word + 2]);
        }
    }
    arguments[0] = groups.x;
    arguments[1] = groups.y;
    arguments[2] = groups.z;
}
