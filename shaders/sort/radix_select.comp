#version 460
#extension GL_GOOGLE_include_directive : require

// A radix select: finds the key of a rank, digit by digit from the highest. Candidates are the keys that equal it in the digits found so
// far. Each step counts the candidates by their next digit, and selects the digit that contains the remaining rank. A workgroup has a share
// of the keys. When few of them are candidates, it lists these, and from then on reads only the list.
//
// FROM_SAMPLE: one workgroup reads only a sample of the keys. It finds a key that most likely does not precede the key of the rank, and is
// close to it. FROM_CANDIDATES: one workgroup reads the keys up to such a key. If these are too few, or too many for their buffer, all keys
// must be searched.

#include "interface.glsl"
#include "radix_select_interface.h"
layout(local_size_x_id = 0) in;

layout(push_constant) uniform Push {
    uint max_count;
    uint count_word;
    uint max_wanted; // the rank, counted from 1, before `more_wanted` is added
    uint wanted_word;
    uint more_wanted;
    uint first_digit; // first digit that this dispatch finds; several digits only with one workgroup
    uint end_digit;
    uint group_keys; // share of a workgroup, a multiple of four
    uint list_keys;  // capacity of a workgroup's list
    uint max_all;    // number of keys from which the candidates were taken
    uint all_word;
};

#include <weir/dispatch.glsl>
#include "total_order.glsl"
#include "workgroup_scan.glsl"

layout(set = 0, binding = KEYS_BINDING) readonly buffer Keys { uint in_keys[]; };
layout(set = 0, binding = KEYS_BINDING) readonly buffer KeyVectors { uvec4 in_vectors[]; };
// selected_key, then remaining_rank. With FROM_CANDIDATES also the number of candidates to choose from and the number of all keys to choose
// from. One of the two is 0.
layout(set = 0, binding = FOUND_BINDING) buffer Found { uint found_words[]; };
layout(set = 0, binding = LISTS_BINDING) workgroupcoherent buffer Lists { uint list_words[]; };
layout(set = 0, binding = TOTALS_BINDING) buffer Totals { uint totals[]; }; // finished workgroups, then a total per digit; 0 between runs
layout(set = 0, binding = OUTPUT_BINDING) writeonly buffer Output { uint out_key[]; };
layout(set = 0, binding = COUNTS_BINDING) readonly buffer Counts { uint count_words[]; };
layout(set = 0, binding = WANTED_COUNT_BINDING) readonly buffer WantedCounts { uint wanted_words[]; };
layout(set = 0, binding = ALL_COUNT_BINDING) readonly buffer AllCounts { uint all_words[]; };
layout(set = 0, binding = CHOSEN_COUNT_BINDING) writeonly buffer ChosenCount { uint chosen_count[]; };

#define DONE_WORD totals[0]
#include "last_workgroup.glsl"

// A word has three digits: 11, 11 and 10 bits.
const uint DIGITS = KEY_WORDS * WORD_DIGITS;
const uint OWN_DIGITS = RADIX / WORKGROUP; // neighboring digits per invocation

const uint NO_LIST = ~0u;

shared uint counters[COPIES * RADIX];
shared uint listed;         // number of candidates, including those beyond the capacity of the list
shared uvec2 selected_key;  // digits not found yet are 0
shared uint remaining_rank; // rank of the key among the candidates, counted from 1; 0 if there are no keys

// A digit of a key.
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

// Returns the first word of the workgroup's list: its number of keys, or NO_LIST. The keys follow.
uint list_start() {
    return weir_workgroup_index() * (1 + list_keys * KEY_WORDS);
}

// Counts a key if it is a candidate. With `lists`, also adds it to the list.
void count_candidate(uint low, uint top, bool lists) {
    const uvec2 key = key_of(low, top) ^ (DESCENDING ? ~0u : 0);
    if (((key ^ known_key) & digit.above) != uvec2(0)) {
        return;
    }
    const uint value = bitfieldExtract(digit.top ? key.y : key.x, int(digit.shift), int(digit.bits));
    atomicAdd(counters[gl_SubgroupID % COPIES * RADIX + value], 1, gl_ScopeWorkgroup, gl_StorageSemanticsNone,
              gl_SemanticsRelaxed);
    // A list beyond its capacity is not counted any further, because many invocations would contend for one word.
    if (lists && atomicLoad(listed, gl_ScopeWorkgroup, gl_StorageSemanticsNone, gl_SemanticsRelaxed) <= list_keys) {
        const uint place = atomicAdd(listed, 1, gl_ScopeWorkgroup, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
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
        if (row + weir_invocation() < whole / vector_keys) {
            const uvec4 vector = in_vectors[row + weir_invocation()];
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
    if (whole + weir_invocation() < end) {
        const uint at = (whole + weir_invocation()) * KEY_WORDS;
        count_candidate(in_keys[at], in_keys[at + KEY_WORDS - 1], lists);
    }
}

// A sample of SAMPLE_KEYS keys per invocation, from random places that are spread evenly.
uvec2 sample_keys[FROM_SAMPLE ? SAMPLE_KEYS : 1];

void load_sample(uint count) {
    [[unroll]] for (uint i = 0; i < sample_keys.length(); ++i) {
        const uint number = i * WORKGROUP + weir_invocation();
        uint random = number * 0x9E3779B9u;
        random = (random ^ random >> 16) * 0x85EBCA6Bu;
        random ^= random >> 13;
        const uint stratum = ~0u / (SAMPLE_KEYS * WORKGROUP); // of 2^32 places, which are mapped to all keys
        uint at, low;
        umulExtended(number * stratum + random % stratum, count, at, low);
        sample_keys[i] = uvec2(in_keys[at * KEY_WORDS], in_keys[at * KEY_WORDS + KEY_WORDS - 1]);
    }
}

void count_sample() {
    [[unroll]] for (uint i = 0; i < sample_keys.length(); ++i) {
        count_candidate(sample_keys[i].x, sample_keys[i].y, false);
    }
}

// Returns the rank in the sample of a key that most likely does not precede the key of `rank` among all keys: the average plus 5 standard
// deviations plus 4.
uint sample_rank(uint rank, uint count) {
    const float average = float(rank) * float(SAMPLE_KEYS * WORKGROUP) / float(max(count, 1));
    return min(uint(average + 5.0 * sqrt(average) + 4.0), SAMPLE_KEYS * WORKGROUP);
}

void count_list(uint keys) {
    for (uint row = 0; row < keys; row += WORKGROUP) {
        if (row + weir_invocation() < keys) {
            const uint at = list_start() + 1 + (row + weir_invocation()) * KEY_WORDS;
            count_candidate(list_words[at], list_words[at + KEY_WORDS - 1], false);
        }
    }
}

// Returns the number of keys of this workgroup with the digit.
uint own_count(uint value) {
    uint sum = 0;
    for (uint copy = 0; copy < COPIES; ++copy) {
        sum += counters[copy * RADIX + value];
    }
    return sum;
}

void add_to_totals() {
    for (uint value = weir_invocation(); value < RADIX; value += WORKGROUP) {
        const uint sum = own_count(value);
        if (sum > 0) {
            atomicAdd(totals[FIRST_TOTAL + value], sum, gl_ScopeDevice, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
        }
    }
}

// Finds the digit that contains the remaining rank, and the rank among the keys with that digit. `alone`: no other workgroup has counted.
// Otherwise resets the totals to 0. Collective.
void find_digit(bool alone) {
    const uint rank_here = remaining_rank;
    uint counts[OWN_DIGITS];
    uint sum = 0;
    for (uint i = 0; i < OWN_DIGITS; ++i) {
        const uint value = weir_invocation() * OWN_DIGITS + i;
        counts[i] = alone ? own_count(value)
                          : atomicExchange(totals[FIRST_TOTAL + value], 0, gl_ScopeDevice, gl_StorageSemanticsNone,
                                           gl_SemanticsRelaxed);
        sum += counts[i];
    }
    uint subgroup_sum;
    const uint before_lane = weir_subgroup_exclusive_scan(sum, subgroup_sum);
    weir_workgroup_reduce(subgroup_sum);
    uint before = weir_preceding_subgroups() + before_lane;
    for (uint i = 0; i < OWN_DIGITS; ++i) {
        if (before < rank_here && rank_here - before <= counts[i]) { // at most one invocation
            const uint found = (weir_invocation() * OWN_DIGITS + i) << digit.shift;
            selected_key |= digit.top ? uvec2(0, found) : uvec2(found, 0);
            remaining_rank = rank_here - before;
        }
        before += counts[i];
    }
    barrier();
}

void write_found(uint count, bool whole) {
    uvec2 key = selected_key;
    if (FROM_SAMPLE) { // the last key with these digits
        const uint below = (1u << digit.shift) - 1;
        key |= digit.top ? uvec2(~0u, below) : uvec2(below, 0);
    }
    found_words[0] = key.x;
    found_words[1] = key.y;
    found_words[2] = remaining_rank;
    if (WRITES_KEY && whole && count != 0) {
        const uvec2 number = number_of(selected_key ^ (DESCENDING ? ~0u : 0));
        out_key[0] = KEY_WORDS == 1 ? number.y : number.x;
        out_key[KEY_WORDS - 1] = number.y;
    }
}

// Makes earlier writes of the workgroup visible to later steps. If there are no other workgroups, only to this one.
void end_step() {
    if (FROM_SAMPLE) {
        barrier();
    } else if (FROM_CANDIDATES) {
        workgroup_buffer_barrier();
    } else {
        device_buffer_barrier();
    }
}

void main() {
    const uint given = COUNT_ON_GPU ? count_words[count_word] : max_count;
    const uint all = ALL_ON_GPU ? min(all_words[all_word], max_all) : max_all;
    const uint places = WANTED_ON_GPU ? min(wanted_words[wanted_word], max_wanted) : max_wanted;
    uint count = min(given, max_count);
    if (FROM_CANDIDATES && (given > max_count || given < min(places, all))) {
        count = 0;
    }
    const uint groups = weir_workgroup_count();
    const bool alone = groups == 1;
    // All workgroups finish even with a count of 0. If the count changes during the dispatch, some workgroups have read another value.
    const uint group = min(weir_workgroup_index(), count / group_keys + 1); // avoids overflow for workgroups beyond the end
    const uint first = group * group_keys;
    const uint end = first < count ? first + min(group_keys, count - first) : first;
    if (weir_invocation() == 0) {
        if (first_digit == 0) {
            selected_key = uvec2(0);
            remaining_rank = min(places, count) + (places < count ? more_wanted : 0);
            if (FROM_SAMPLE) {
                remaining_rank = sample_rank(remaining_rank, count);
            }
        } else {
            selected_key = uvec2(found_words[0], found_words[1]);
            remaining_rank = found_words[2];
        }
        if (FROM_CANDIDATES) {
            const bool holds_all = count != 0 || min(places, all) == 0;
            found_words[3] = count;
            found_words[4] = holds_all ? 0 : all;
            chosen_count[0] = min(places, all);
        }
    }
    if (FROM_SAMPLE) {
        load_sample(count);
    }
    for (uint number = first_digit; number < end_digit; ++number) {
        for (uint i = weir_invocation(); i < COPIES * RADIX; i += WORKGROUP) {
            counters[i] = 0;
        }
        if (weir_invocation() == 0) {
            listed = 0;
        }
        barrier();
        digit = digit_number(number);
        known_key = selected_key;
        // For the first digit all keys are candidates, and after the last one no list is read.
        uint list_length = NO_LIST;
        if (!FROM_SAMPLE && first < end && number > 1) {
            list_length = list_words[list_start()];
        }
        const bool lists = !FROM_SAMPLE && first < end && number > 0 && number + 1 < DIGITS && list_length == NO_LIST;
        if (FROM_SAMPLE) {
            count_sample();
        } else if (list_length == NO_LIST) {
            count_share(first, end, lists);
        } else {
            count_list(list_length);
        }
        end_step();
        if (lists && weir_invocation() == 0) {
            list_words[list_start()] = listed <= list_keys ? listed : NO_LIST;
        }
        if (!alone) {
            add_to_totals();
        }
        if (alone || finish(weir_invocation() == 0, groups)) {
            find_digit(alone);
            if (weir_invocation() == 0) {
                write_found(count, number + 1 == DIGITS);
            }
        }
        end_step();
    }
}
