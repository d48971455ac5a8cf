#version 460

// Writes the arguments of indirect commands from the words in `code`; see graph/describe/arguments.cpp.

layout(local_size_x = 1) in;

// The first word of a command is the number of its words, and from bit 8 on a mask of the computed words. For each word, its value follows,
// or if it is computed, a place, the maximum count, a factor and a divisor. The words of a dispatch are computed together from a place, the
// maximum count, the elements per workgroup and the minimum number of workgroups.
const uint IS_DISPATCH = 0x80000000;
const uint CODE_WORDS = 29;

layout(set = 0, binding = 0) writeonly buffer Arguments { uint arguments[]; };
layout(set = 0, binding = 1) readonly buffer First { uint first[]; };
layout(set = 0, binding = 2) readonly buffer Second { uint second[]; };
layout(set = 0, binding = 3) readonly buffer Third { uint third[]; };

layout(push_constant) uniform Push {
    uint command_count;
    uint first_word;
    uint max_groups_x;
    uint code[CODE_WORDS];
};

uint count_at(uint place, uint most) {
    const uint word = place & 0x3FFFFFFF;
    switch (place >> 30) { // the buffer; 0: the host knows the count
    case 1:
        return min(first[word], most);
    case 2:
        return min(second[word], most);
    case 3:
        return min(third[word], most);
    default:
        return most;
    }
}

uint divide_up(uint count, uint by) {
    return count / by + uint(count % by != 0);
}

void main() {
    uint at = 0;
    uint to = first_word;
    for (uint command = 0; command < command_count; ++command) {
        const uint head = code[at++];
        if ((head & IS_DISPATCH) != 0) {
            const uint groups = max(divide_up(count_at(code[at], code[at + 1]), code[at + 2]), code[at + 3]);
            const uint rows = max(1, divide_up(groups, max_groups_x));
            arguments[to++] = divide_up(groups, rows); // rows of equal length leave the minimum number of workgroups without work
            arguments[to++] = rows;
            arguments[to++] = 1;
            at += 4;
            continue;
        }
        for (uint word = 0; word < (head & 0xFF); ++word) {
            uint value = code[at++];
            if ((head >> (8 + word) & 1) != 0) {
                value = divide_up(count_at(value, code[at]) * code[at + 1], code[at + 2]);
                at += 3;
            }
            arguments[to++] = value;
        }
    }
}
