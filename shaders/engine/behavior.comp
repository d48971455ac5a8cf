#version 460
#extension GL_GOOGLE_include_directive : require

// Measures two behaviors that no specification guarantees: whether workgroups start roughly in the order of their indices, and whether
// atomics of a subgroup's lanes on one word of workgroup memory are served in lane order.

layout(constant_id = 0) const uint WORKGROUP = 256;
layout(constant_id = 1) const uint SUBGROUP = 0;
layout(local_size_x_id = 0) in;

#include <weir/dispatch.glsl>
#include "subgroup.glsl"

layout(set = 0, binding = 0) buffer Seen { // 0 before
    uint started;
    uint farthest_start; // maximum distance between the place of a workgroup in the order of starts and its index
    uint atomics_out_of_order;
};

// Imitates the ranking of a radix sort: one atomic follows another, and each subgroup has its own words.
const uint WORD_BITS = 5;
const uint ROUNDS = 2 * (WORD_BITS + 1);
const uint WORDS = 1 << WORD_BITS;
shared uint words[WEIR_MAX_SUBGROUPS * WORDS];

uint draw(uint number) {
    number = (number ^ (number >> 16)) * 0x7FEB352Du;
    number = (number ^ (number >> 15)) * 0x846CA68Bu;
    return number ^ (number >> 16);
}

// Words are random, so that no compiler can combine the atomics of lanes that share one. The first round uses one word, the next one two,
// and so on up to all words. The second half of the rounds repeats this with a random half of the lanes.
struct Turn {
    bool takes_part;
    uint word;
};

Turn turn_in(uint round) {
    const uint drawn = draw((weir_workgroup_index() * WORKGROUP + weir_invocation()) * ROUNDS + round);
    return Turn(round <= WORD_BITS || (drawn >> 31) != 0, drawn & (1 << round % (WORD_BITS + 1)) - 1);
}

bool atomics_come_in_order() {
    uint places[ROUNDS];
    [[unroll]] for (uint round = 0; round < ROUNDS; ++round) {
        const Turn turn = turn_in(round);
        places[round] = 0;
        if (turn.takes_part) {
            places[round] = atomicAdd(words[gl_SubgroupID * WORDS + turn.word], 1, gl_ScopeWorkgroup, gl_StorageSemanticsNone,
                                      gl_SemanticsRelaxed);
        }
    }
    barrier();
    bool in_order = true;
    [[unroll]] for (uint round = 0; round < ROUNDS; ++round) {
        const Turn turn = turn_in(round);
        uvec4 sharing = subgroupBallot(turn.takes_part); // the lanes that added to the same word
        [[unroll]] for (uint bit = 0; bit < WORD_BITS; ++bit) {
            const bool is_set = (turn.word >> bit & 1) != 0;
            const uvec4 votes = subgroupBallot(is_set);
            sharing &= is_set ? votes : ~votes;
        }
        const uint first = subgroupShuffle(places[round], turn.takes_part ? weir_lowest_lane(sharing) : weir_lane());
        in_order = in_order && (!turn.takes_part || places[round] == first + weir_count_lanes_before(sharing));
    }
    return in_order;
}

void main() {
    if (weir_invocation() == 0) {
        const uint number = weir_workgroup_index();
        const uint turn = atomicAdd(started, 1, gl_ScopeDevice, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
        atomicMax(farthest_start, max(turn, number) - min(turn, number), gl_ScopeDevice, gl_StorageSemanticsNone,
                  gl_SemanticsRelaxed);
    }
    for (uint i = 0; i < words.length(); i += WORKGROUP) {
        words[i + weir_invocation()] = 0;
    }
    barrier();
    if (!atomics_come_in_order()) {
        atomicOr(atomics_out_of_order, 1, gl_ScopeDevice, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
    }
}
