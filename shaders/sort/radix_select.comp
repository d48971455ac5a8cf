#version 460
#extension GL_GOOGLE_include_directive : require

// Finds the key that a sort would put last among the first few, digit by digit from the highest. Each time the digits are counted of the
// keys that are like it as far as it is known, and its next digit is the one on which the count of wanted keys falls. A workgroup has
// a share of the keys; once few of them are left, it lists them, and looks at no others from then on.

#include "interface.glsl"
#include "radix_select_interface.h"
layout(local_size_x_id = 0) in;

layout(push_constant) uniform Push {
    uint max_count;
    uint count_word;
    uint max_wanted; // of how many keys the last one is searched for, before `more_wanted`
    uint wanted_word;
    uint more_wanted;
    uint first_digit; // that this dispatch finds; several only if it is one workgroup
    uint end_digit;
    uint group_keys; // a workgroup's share, a multiple of four
    uint list_keys;  // that a workgroup's list has room for
};

#include "dispatch.glsl"
#include "total_order.glsl"
#include "workgroup_scan.glsl"

layout(set = 0, binding = KEYS_BINDING) readonly buffer Keys { uint in_keys[]; };
layout(set = 0, binding = KEYS_BINDING) readonly buffer KeyVectors { uvec4 in_vectors[]; };
layout(set = 0, binding = FOUND_BINDING) buffer Found { uint found_words[]; }; // between dispatches: last_key, then remaining_rank
layout(set = 0, binding = LISTS_BINDING) nonprivate buffer Lists { uint list_words[]; };
layout(set = 0, binding = TOTALS_BINDING) buffer Totals { uint totals[]; }; // groups done, then a total for each digit; all zero between runs
layout(set = 0, binding = OUTPUT_BINDING) writeonly buffer Output { uint out_key[]; };
layout(set = 0, binding = COUNTS_BINDING) readonly buffer Counts { uint count_words[]; };
layout(set = 0, binding = WANTED_COUNT_BINDING) readonly buffer WantedCounts { uint wanted_words[]; };

#define DONE_WORD totals[0]
#include "last_workgroup.glsl"

// A word has three digits: 11, 11 and 10 bits.
const uint DIGITS = KEY_WORDS * WORD_DIGITS;
const uint OWN_DIGITS = RADIX / WORKGROUP; // an invocation speaks for so many neighbours

const uint NO_LIST = ~0u;

shared uint counters[COPIES * RADIX];
shared uint listed;    // keys of the list, and those that have no room
shared uvec2 last_key; // as far as it is known; the other bits are 0
shared uint remaining_rank;    // of the keys like it, how many are among the first; none if there are no keys at all

// What all invocations know of the digit: where it is, and which bits are above.
struct Digit {
    bool top;
    uint shift;
    uint bits;
    uvec2 above;
};

Digit digit_number(uint number) {
    const bool top = number < WORD_DIGITS;
    const uint place = top ? number : number - WORD_DIGITS;
    const uint shift = place == 0 ? 21 : place == 1 ? 10 : 0;
    const uint bits = place == 2 ? 10 : 11;
    const uint above = place == 0 ? 0 : ~0u << (shift + bits);
    return Digit(top, shift, bits, top ? uvec2(0, above) : uvec2(above, ~0u));
}

Digit digit;
uvec2 known_key;

// Where the workgroup's list is: how many keys it has, or NO_LIST, and then they.
uint list_start() {
    return weir_workgroup_index() * (1 + list_keys * KEY_WORDS);
}

// `lists`: whether the key goes on the list.
void count_candidate(uint low, uint top, bool lists) {
    const uvec2 key = key_of(low, top) ^ (DESCENDING ? ~0u : 0);
    if (((key ^ known_key) & digit.above) != uvec2(0)) {
        return;
    }
    const uint value = bitfieldExtract(digit.top ? key.y : key.x, int(digit.shift), int(digit.bits));
    atomicAdd(counters[gl_SubgroupID % COPIES * RADIX + value], 1, gl_ScopeWorkgroup, gl_StorageSemanticsShared,
              gl_SemanticsRelaxed);
    // Past the room nobody counts any further: many keys would wait for each other there.
    if (lists && atomicLoad(listed, gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsRelaxed) <= list_keys) {
        const uint place = atomicAdd(listed, 1, gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsRelaxed);
        if (place < list_keys) {
            const uint at = list_start() + 1 + place * KEY_WORDS;
            list_words[at] = low;
            list_words[at + KEY_WORDS - 1] = top;
        }
    }
}

void count_share(uint first, uint end, bool lists) {
    const uint vector_keys = 4 / KEY_WORDS;
    const uint whole = first + (end - first) / vector_keys * vector_keys;
    for (uint row = first / vector_keys; row < whole / vector_keys; row += WORKGROUP) {
        if (row + invocation() < whole / vector_keys) {
            const uvec4 vector = in_vectors[row + invocation()];
            if (KEY_WORDS == 1) {
                count_candidate(vector.x, vector.x, lists);
                count_candidate(vector.y, vector.y, lists);
                count_candidate(vector.z, vector.z, lists);
                count_candidate(vector.w, vector.w, lists);
            } else {
                count_candidate(vector.x, vector.y, lists);
                count_candidate(vector.z, vector.w, lists);
            }
        }
    }
    if (whole + invocation() < end) {
        const uint at = (whole + invocation()) * KEY_WORDS;
        count_candidate(in_keys[at], in_keys[at + KEY_WORDS - 1], lists);
    }
}

void count_list(uint keys) {
    for (uint row = 0; row < keys; row += WORKGROUP) {
        if (row + invocation() < keys) {
            const uint at = list_start() + 1 + (row + invocation()) * KEY_WORDS;
            count_candidate(list_words[at], list_words[at + KEY_WORDS - 1], false);
        }
    }
}

// How many keys of this workgroup have the digit.
uint own_count(uint value) {
    uint sum = 0;
    for (uint copy = 0; copy < COPIES; ++copy) {
        sum += counters[copy * RADIX + value];
    }
    return sum;
}

void add_to_totals() {
    for (uint value = invocation(); value < RADIX; value += WORKGROUP) {
        const uint sum = own_count(value);
        if (sum > 0) {
            atomicAdd(totals[FIRST_TOTAL + value], sum, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelaxed);
        }
    }
}

// Which digit the count of wanted keys falls on, and the rank that remains among the keys that have it. Collective. `alone`: no other
// workgroup has counted any; otherwise the totals are left at zero.
void find_digit(bool alone) {
    const uint wanted_here = remaining_rank;
    uint counts[OWN_DIGITS];
    uint sum = 0;
    for (uint i = 0; i < OWN_DIGITS; ++i) {
        const uint value = invocation() * OWN_DIGITS + i;
        counts[i] = alone ? own_count(value)
                          : atomicExchange(totals[FIRST_TOTAL + value], 0, gl_ScopeDevice, gl_StorageSemanticsBuffer,
                                           gl_SemanticsRelaxed);
        sum += counts[i];
    }
    uint subgroup_sum;
    const uint before_lane = subgroup_exclusive_scan(sum, subgroup_sum);
    workgroup_reduce(subgroup_sum);
    uint before = preceding_subgroups() + before_lane;
    for (uint i = 0; i < OWN_DIGITS; ++i) {
        if (before < wanted_here && wanted_here - before <= counts[i]) { // one invocation at the most
            const uint found = (invocation() * OWN_DIGITS + i) << digit.shift;
            last_key |= digit.top ? uvec2(0, found) : uvec2(found, 0);
            remaining_rank = wanted_here - before;
        }
        before += counts[i];
    }
    barrier();
}

void write_found(uint count, bool whole) {
    found_words[0] = last_key.x;
    found_words[1] = last_key.y;
    found_words[2] = remaining_rank;
    if (WRITES_KEY && whole && count != 0) {
        const uvec2 number = number_of(last_key ^ (DESCENDING ? ~0u : 0));
        out_key[0] = KEY_WORDS == 1 ? number.y : number.x;
        out_key[KEY_WORDS - 1] = number.y;
    }
}

void main() {
    const uint count = COUNT_ON_GPU ? min(count_words[count_word], max_count) : max_count;
    const uint groups = weir_workgroup_count();
    const bool alone = groups == 1;
    const uint group = min(weir_workgroup_index(), count / group_keys + 1); // without overflow for groups past the end
    const uint first = group * group_keys;
    const uint end = first < count ? first + min(group_keys, count - first) : first;
    if (invocation() == 0) {
        if (first_digit == 0) {
            last_key = uvec2(0);
            const uint places = WANTED_ON_GPU ? min(wanted_words[wanted_word], max_wanted) : max_wanted;
            remaining_rank = min(places, count) + (places < count ? more_wanted : 0);
        } else {
            last_key = uvec2(found_words[0], found_words[1]);
            remaining_rank = found_words[2];
        }
    }
    for (uint number = first_digit; number < end_digit; ++number) {
        for (uint i = invocation(); i < COPIES * RADIX; i += WORKGROUP) {
            counters[i] = 0;
        }
        if (invocation() == 0) {
            listed = 0;
        }
        barrier();
        digit = digit_number(number);
        known_key = last_key;
        // All keys are like one of which nothing is known, and after the last digit nobody looks at a list.
        uint list_length = NO_LIST;
        if (first < end && number > 1) {
            list_length = list_words[list_start()];
        }
        const bool lists = first < end && number > 0 && number + 1 < DIGITS && list_length == NO_LIST;
        if (list_length == NO_LIST) {
            count_share(first, end, lists);
        } else {
            count_list(list_length);
        }
        device_buffer_barrier();
        if (lists && invocation() == 0) {
            list_words[list_start()] = listed <= list_keys ? listed : NO_LIST;
        }
        if (!alone) {
            add_to_totals();
        }
        if (alone || finish(invocation() == 0, groups)) {
            find_digit(alone);
            if (invocation() == 0) {
                write_found(count, number + 1 == DIGITS);
            }
        }
        device_buffer_barrier();
    }
}
