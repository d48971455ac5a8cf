#version 460

// Turns a count in a buffer into the arguments of an indirect dispatch.

layout(local_size_x = 1) in;

layout(set = 0, binding = 0) readonly buffer Counts { uint counts[]; };
layout(set = 0, binding = 1) writeonly buffer Arguments { uint arguments[3]; };

layout(push_constant) uniform Push {
    uint word;
    uint max_count;
    uint per_group;
    uint at_least;
    uint max_groups_x;
};

void main() {
    const uint count = min(counts[word], max_count);
    uint groups = count / per_group + uint(count % per_group != 0);
    groups = max(groups, at_least);
    const uint y = max(1, groups / max_groups_x + uint(groups % max_groups_x != 0));
    // Even rows leave the fewest workgroups without work.
    arguments[0] = groups / y + uint(groups % y != 0);
    arguments[1] = y;
    arguments[2] = 1;
}
