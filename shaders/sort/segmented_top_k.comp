#version 460
#extension GL_GOOGLE_include_directive : require

// Selects the first keys in sorted order of each segment, or of each of the PARTS parts of a segment. A team has one segment or part: a
// workgroup or, with BY_SUBGROUPS, a subgroup. It finds the last key to take, then takes the keys and stores them in the order of the input,
// or sorts them if SORTED_KEYS is not 0.
//
// A subgroup keeps the keys in registers and finds the last key bit by bit. A workgroup finds it digit by digit from the highest, as
// radix_select.comp does. Both stop when all keys that equal it so far are taken. With LISTS, a workgroup first lists the keys up to one of
// a sample, and continues with the list.
//
// All parts of a segment except the last ones have at least `wanted` keys. Therefore the padding of the output comes after all keys.

#include "interface.glsl"
#include "segmented_top_k_interface.h"
layout(local_size_x_id = 0) in;

layout(push_constant) uniform Push {
    uint max_count; // elements or rows
    uint count_word;
    uint segment_size; // elements per segment, or number of offsets (maximum if the count is on the GPU)
    uint segment_count_word;
    uint max_wanted; // keys to take from each segment or part
    uint wanted_word;
};

#define WEIR_SHUFFLE_BARRIERS SHUFFLE_BARRIERS
#include <weir/dispatch.glsl>
#include "total_order.glsl"
#include "workgroup_scan.glsl"

layout(set = 0, binding = KEYS_BINDING) readonly buffer Keys { uint in_keys[]; };
layout(set = 0, binding = CHOSEN_KEYS_BINDING) writeonly buffer ChosenKeys { uint chosen_keys[]; };
layout(set = 0, binding = CHOSEN_INDICES_BINDING) writeonly buffer ChosenIndices { uint chosen_indices[]; };
layout(set = 0, binding = TOTAL_BINDING) writeonly buffer Total { uint total[]; };
layout(set = 0, binding = COUNTS_BINDING) readonly buffer Counts { uint counts[]; };
layout(set = 0, binding = OFFSETS_BINDING) readonly buffer Offsets { uint offsets[]; };
layout(set = 0, binding = SEGMENT_COUNT_BINDING) readonly buffer SegmentCounts { uint segment_counts[]; };
layout(set = 0, binding = GIVEN_INDICES_BINDING) readonly buffer GivenIndices { uint given_indices[]; };
layout(set = 0, binding = WANTED_COUNT_BINDING) readonly buffer WantedCounts { uint wanted_counts[]; };

const uint RADIX = 1 << DIGIT_BITS;
const uint WORD_DIGITS = (31 + DIGIT_BITS) / DIGIT_BITS;
const uint OWN_DIGITS = (RADIX + WORKGROUP - 1) / WORKGROUP; // neighboring digits per invocation
const uint TEAM = BY_SUBGROUPS ? SUBGROUP : WORKGROUP;
const uint TEAMS = WORKGROUP / TEAM;
const uint MAX_LISTED = LISTS ? LISTED_KEYS * WORKGROUP : 1;
const uint SORTED_PLACES = SORTED_KEYS == 0 ? 1 : SORTED_KEYS * TEAMS;

shared uint counters[BY_SUBGROUPS ? 1 : OWN_DIGITS * WORKGROUP];
shared uvec2 shared_last_key; // find_digit shares these three with the workgroup
shared uint shared_quota;
shared uint shared_equals;
shared uint listed[MAX_LISTED]; // numbers of keys
shared uint sorted_keys[SORTED_PLACES * KEY_WORDS];
shared uint sorted_indices[SORTED_PLACES];

// The same in all invocations of a team.
uvec2 last_key; // last key to take; digits not found yet are 0
uint quota;     // number of keys to take that equal it in the digits found so far
uint equals;    // number of keys that equal it in the digits found so far

// Returns the number of offsets or, if there are none, of elements per segment.
uint segment_number() {
    return SEGMENT_COUNT_ON_GPU ? min(segment_counts[segment_count_word], segment_size) : segment_size;
}

// Returns the number of elements, the number of segments and, without offsets, the elements per segment.
uvec3 read_counts() {
    const uint given = COUNT_ON_GPU ? min(counts[count_word], max_count) : max_count, number = segment_number();
    return AT_OFFSETS ? uvec3(given, number, 0)
           : BY_ROWS  ? uvec3(given * number, given, number)
                      : uvec3(given, given / number + uint(given % number != 0), number);
}

uint segment_length; // elements per segment

uint segment_first(uint segment, uint count) {
    return min(AT_OFFSETS ? offsets[segment] : segment * segment_length, count);
}

// Returns the end of a segment. It is never before the segment's first element, whatever the offsets.
uint segment_end(uint segment, uint segments, uint count) {
    const bool has_next = END_GIVEN || segment + 1 < segments;
    return has_next ? max(segment_first(segment + 1, count), segment_first(segment, count)) : count;
}

// Returns a key as an unsigned number. The minimum numbers are taken. The low word is 0 for numbers of one word.
uvec2 loaded_key(uint i) {
    const uvec2 key = key_of(in_keys[i * KEY_WORDS], in_keys[i * KEY_WORDS + KEY_WORDS - 1]) ^ (DESCENDING ? ~0u : 0);
    return KEY_WORDS == 1 ? uvec2(0, key.y) : key;
}

// Returns whether a key precedes another one.
bool is_less(uvec2 a, uvec2 b) {
    return KEY_WORDS == 1 ? a.y < b.y : precedes(a, b);
}

uint index_begin; // key with the index 0

uint index_of(uint i) {
    return INDICES && INDICES_GIVEN ? given_indices[i] : LOCAL_INDICES ? i - index_begin : i;
}

void store(uint at, uvec2 key, uint index) {
    const uvec2 number = number_of(key ^ (DESCENDING ? ~0u : 0));
    if (KEY_WORDS == 2) {
        chosen_keys[at * KEY_WORDS] = number.x;
    }
    chosen_keys[at * KEY_WORDS + KEY_WORDS - 1] = number.y;
    if (INDICES) {
        chosen_indices[at] = index;
    }
}

uint team_index() {
    return BY_SUBGROUPS ? gl_SubgroupID : 0;
}

// Returns the index of the invocation in its team.
uint member() {
    return BY_SUBGROUPS ? weir_lane() : weir_invocation();
}

uint output_begin;         // place of the team's first output
uint first_key, key_count; // keys that take part: the part or, with is_listed, those that `listed` contains
bool is_listed;

// Stores a key that is taken, or keeps it for store_sorted.
void put(uint place, uvec2 key, uint number) {
    const uint index = index_of(first_key + (LISTS && is_listed ? listed[number] : number));
    if (SORTED_KEYS == 0) {
        store(output_begin + place, key, index);
        return;
    }
    const uint at = team_index() * SORTED_KEYS + place;
    if (KEY_WORDS == 2) {
        sorted_keys[at * KEY_WORDS] = key.x;
    }
    sorted_keys[at * KEY_WORDS + KEY_WORDS - 1] = key.y;
    sorted_indices[at] = index;
}

uvec2 put_key(uint place) {
    const uint at = (team_index() * SORTED_KEYS + place) * KEY_WORDS;
    return uvec2(KEY_WORDS == 1 ? 0 : sorted_keys[at], sorted_keys[at + KEY_WORDS - 1]);
}

// Takes or lists the keys of a subgroup's lanes that precede the last key under the mask, and the first of those that equal it. `before` has
// the numbers of both among the preceding keys.
void take_lanes(uvec2 key, bool takes_part, uint number, uvec2 mask, bool lists, inout uvec2 before) {
    const uvec2 digits = key & mask;
    const bool is_before = takes_part && is_less(digits, last_key), is_equal = takes_part && digits == last_key;
    weir_await_lanes();
    const uvec4 lanes = subgroupBallot(is_before), equal_lanes = subgroupBallot(is_equal);
    const uint equals_before = before.y + weir_count_lanes_before(equal_lanes);
    if (is_before || is_equal && equals_before < quota) {
        const uint place = before.x + weir_count_lanes_before(lanes) + min(equals_before, quota);
        if (LISTS && lists) {
            listed[place] = number;
        } else {
            put(place, key, number);
        }
    }
    before += uvec2(weir_count_lanes(lanes), weir_count_lanes(equal_lanes));
}

// Chooses from keys that fit the subgroup's registers. Finds the last key bit by bit.
void choose_by_subgroup(uint wanted) {
    uvec2 keys[HELD_KEYS];
    [[unroll]] for (uint i = 0; i < HELD_KEYS; ++i) {
        keys[i] = key_count == 0 ? uvec2(0) : loaded_key(first_key + min(i * SUBGROUP + weir_lane(), key_count - 1));
    }
    last_key = uvec2(0);
    uvec2 mask = uvec2(0);
    uint preceding = 0; // number of keys that precede the last key under the mask
    for (uint bit = key_count == wanted ? 0 : KEY_WORDS * 32; bit > 0; --bit) {
        const uint word_bit = 1u << (bit - 1) % 32;
        const uvec2 step = KEY_WORDS == 1 || bit > 32 ? uvec2(0, word_bit) : uvec2(word_bit, 0);
        uint own = 0;
        [[unroll]] for (uint i = 0; i < HELD_KEYS; ++i) {
            own += uint(i * SUBGROUP + weir_lane() < key_count && is_less(keys[i], last_key | step));
        }
        const uint number = weir_subgroup_reduce(own);
        mask |= step;
        if (number == wanted) {
            break;
        }
        if (number < wanted) {
            last_key |= step;
            preceding = number;
        }
    }
    quota = wanted - preceding;
    uvec2 before = uvec2(0);
    [[unroll]] for (uint i = 0; i < HELD_KEYS; ++i) {
        const uint number = i * SUBGROUP + weir_lane();
        take_lanes(keys[i], number < key_count, number, mask, false, before);
    }
}

// Returns the first number and the end of the keys of this subgroup, in whole subgroups.
uvec2 own_range() {
    return uvec2(gl_SubgroupID, gl_SubgroupID + 1) * ((key_count + WORKGROUP - 1) / WORKGROUP * weir_subgroup_size());
}

// Loads the keys with the number `number` and, a subgroup apart, after it. The loads are unconditional, so that all are in flight at the same
// time. After the end, the last key is loaded.
void load_keys(uint number, out uvec2 keys[LOADS]) {
    uint numbers[LOADS];
    [[unroll]] for (uint i = 0; i < LOADS; ++i) {
        numbers[i] = min(number + i * weir_subgroup_size(), key_count - 1);
    }
    if (LISTS && is_listed) {
        [[unroll]] for (uint i = 0; i < LOADS; ++i) {
            numbers[i] = listed[numbers[i]];
        }
    }
    [[unroll]] for (uint i = 0; i < LOADS; ++i) {
        keys[i] = loaded_key(first_key + numbers[i]);
    }
}

// Counts, by their next digit, the keys that equal the last key under the mask. This function and those below are collective.
void count_digits(uvec2 mask, bool top, uint shift, uint bits) {
    for (uint value = weir_invocation(); value < OWN_DIGITS * WORKGROUP; value += WORKGROUP) {
        counters[value] = 0;
    }
    barrier();
    const uvec2 range = own_range();
    for (uint begin = range.x; begin < range.y; begin += LOADS * weir_subgroup_size()) {
        uvec2 keys[LOADS];
        load_keys(begin + weir_lane(), keys);
        [[unroll]] for (uint i = 0; i < LOADS; ++i) {
            const uint number = begin + i * weir_subgroup_size() + weir_lane();
            if (number < min(range.y, key_count) && (keys[i] & mask) == last_key) {
                atomicAdd(counters[bitfieldExtract(top ? keys[i].y : keys[i].x, int(shift), int(bits))], 1, gl_ScopeWorkgroup,
                          gl_StorageSemanticsNone, gl_SemanticsRelaxed);
            }
        }
    }
    barrier();
}

// Returns the sum of the values of the preceding invocations.
uint sum_before(uint value, out uint sum) {
    uint subgroup_sum;
    const uint before_lane = weir_subgroup_exclusive_scan(value, subgroup_sum);
    sum = weir_workgroup_reduce(subgroup_sum);
    return weir_preceding_subgroups() + before_lane;
}

// Finds the digit of the last key.
void find_digit(bool top, uint shift) {
    uint sum = 0;
    for (uint i = 0; i < OWN_DIGITS; ++i) {
        sum += counters[weir_invocation() * OWN_DIGITS + i];
    }
    uint all;
    uint before = sum_before(sum, all);
    for (uint i = 0; i < OWN_DIGITS; ++i) {
        const uint value = weir_invocation() * OWN_DIGITS + i;
        if (before < quota && quota - before <= counters[value]) { // true in one invocation
            shared_last_key = last_key | (top ? uvec2(0, value << shift) : uvec2(value << shift, 0));
            shared_quota = quota - before;
            shared_equals = counters[value];
        }
        before += counters[value];
    }
    barrier();
    last_key = shared_last_key;
    quota = shared_quota;
    equals = shared_equals;
}

// Finds the last key to take, digit by digit. At most `slack` keys too many may equal it. Returns a mask of the digits found.
uvec2 find_last_key(uint wanted, uint slack) {
    uvec2 mask = uvec2(0);
    last_key = uvec2(0);
    quota = wanted;
    equals = key_count;
    for (uint digit = 0; digit < KEY_WORDS * WORD_DIGITS && equals - quota > slack; ++digit) {
        const bool top = digit < WORD_DIGITS;
        const uint above = 32 - digit % WORD_DIGITS * DIGIT_BITS, bits = min(above, DIGIT_BITS), shift = above - bits; // bits of the word
        count_digits(mask, top, shift, bits);
        find_digit(top, shift);
        mask |= top ? uvec2(0, ~0u << shift) : uvec2(~0u << shift, 0);
    }
    return mask;
}

// Counts the keys that precede the last key under the mask, and those that equal it. Returns the numbers of such keys of the preceding
// subgroups and of the workgroup.
uvec4 count_keys(uvec2 mask) {
    uint preceding = 0, equal = 0;
    const uvec2 range = own_range();
    for (uint begin = range.x; begin < range.y; begin += LOADS * weir_subgroup_size()) {
        uvec2 keys[LOADS];
        load_keys(begin + weir_lane(), keys);
        [[unroll]] for (uint i = 0; i < LOADS; ++i) {
            const bool takes_part = begin + i * weir_subgroup_size() + weir_lane() < min(range.y, key_count);
            preceding += uint(takes_part && is_less(keys[i] & mask, last_key));
            equal += uint(takes_part && (keys[i] & mask) == last_key);
        }
    }
    uvec4 counts;
    counts.z = weir_workgroup_reduce(weir_subgroup_reduce(preceding));
    counts.x = weir_preceding_subgroups();
    barrier();
    counts.w = weir_workgroup_reduce(weir_subgroup_reduce(equal));
    counts.y = weir_preceding_subgroups();
    barrier();
    return counts;
}

// Takes or lists the keys that precede the last key under the mask, and the first of those that equal it. `before` has the numbers of both
// in the preceding subgroups.
void take_keys(uvec2 mask, bool lists, uvec2 before) {
    const uvec2 range = own_range();
    for (uint begin = range.x; begin < range.y; begin += LOADS * weir_subgroup_size()) {
        uvec2 keys[LOADS];
        load_keys(begin + weir_lane(), keys);
        [[unroll]] for (uint i = 0; i < LOADS; ++i) {
            const uint number = begin + i * weir_subgroup_size() + weir_lane();
            take_lanes(keys[i], number < min(range.y, key_count), number, mask, lists, before);
        }
    }
}

// Lists the keys up to one that is most likely after the last key to take, and lets only these take part. A sample of the keys has that key.
// Lists nothing if the listed keys would not include the last key, or would not fit.
void list_first_keys(uint wanted) {
    const uint sampled = WORKGROUP * LISTED_KEYS, length = key_count;
    const float expected = float(wanted) * sampled / length;
    const uint rank = uint(expected + 4 * sqrt(expected)) + 4;
    if (length < 2 * MAX_LISTED || rank * float(length) > 0.75 * MAX_LISTED * sampled) {
        return;
    }
    for (uint i = 0; i < LISTED_KEYS; ++i) {
        listed[weir_invocation() * LISTED_KEYS + i] = weir_invocation() * (length / WORKGROUP) + i;
    }
    barrier();
    is_listed = true;
    key_count = sampled;
    const uvec2 mask = find_last_key(rank, max(rank / 16, 4));
    is_listed = false;
    key_count = length;
    const uvec4 counts = count_keys(mask);
    const uint number = counts.z + counts.w;
    if (number >= wanted && number <= MAX_LISTED) {
        quota = length; // lists all keys that equal the sample's
        take_keys(mask, true, counts.xy);
        barrier();
        is_listed = true;
        key_count = number;
    }
}

void choose_by_workgroup(uint wanted) {
    if (LISTS) {
        list_first_keys(wanted);
    }
    const uvec2 mask = find_last_key(wanted, 0);
    take_keys(mask, false, count_keys(mask).xy);
}

// Stores the keys that were put, each at the place that is the number of those before it in sorted order.
void store_sorted(uint number) {
    barrier();
    for (uint place = member(); place < number; place += TEAM) {
        const uvec2 key = put_key(place);
        uint rank = 0;
        for (uint i = 0; i < number; ++i) {
            const uvec2 other = put_key(i);
            rank += uint(is_less(other, key) || other == key && i < place);
        }
        store(output_begin + rank, key, sorted_indices[team_index() * SORTED_KEYS + place]);
    }
}

shared uvec3 shared_counts; // elements, segments and elements per segment, read by one invocation: counts on the GPU may change
shared uint shared_wanted;
shared uvec3 shared_range; // result of range_of for a workgroup

// Returns the first key and the number of keys of a part, and the first key of its segment.
uvec3 range_of(uint part, uint segments, uint count, uint wanted) {
    const uint segment = part / PARTS;
    const uint begin = segment_first(segment, count), size = max(segment_end(segment, segments, count), begin) - begin;
    const uint part_size = PARTS == 1 ? size : max((size + PARTS - 1) / PARTS, wanted);
    const uint before = PARTS == 1 ? 0 : min(part % PARTS * part_size, size);
    return uvec3(begin + before, min(part_size, size - before), begin);
}

void main() {
    if (weir_invocation() == 0) {
        shared_counts = read_counts();
        shared_wanted = WANTED_ON_GPU ? min(wanted_counts[wanted_word], max_wanted) : max_wanted;
    }
    barrier();
    const uint count = shared_counts.x, segments = shared_counts.y, part = weir_workgroup_index() * TEAMS + team_index();
    segment_length = shared_counts.z;
    if (WRITES_TOTAL && part == 0 && member() == 0) {
        total[0] = segments * PARTS * shared_wanted;
        total[1] = segments;
    }
    // Subgroups without a segment take no keys. They reach all barriers of their workgroup.
    const uint wanted = part / PARTS < segments ? shared_wanted : 0;
    if (!BY_SUBGROUPS && wanted == 0) {
        return;
    }
    uvec3 range = uvec3(0);
    if (BY_SUBGROUPS && wanted != 0) {
        range = range_of(part, segments, count, wanted);
    } else if (!BY_SUBGROUPS) {
        if (weir_invocation() == 0) { // one invocation reads the offsets as well
            shared_range = range_of(part, segments, count, wanted);
        }
        barrier();
        range = shared_range;
    }
    first_key = range.x;
    key_count = range.y;
    is_listed = false;
    index_begin = range.z;
    output_begin = part * wanted;
    const uint number = min(wanted, range.y);
    if (BY_SUBGROUPS) {
        choose_by_subgroup(number);
    } else {
        choose_by_workgroup(number);
    }
    if (SORTED_KEYS > 0) {
        store_sorted(number);
    }
    for (uint i = number + member(); i < wanted; i += TEAM) {
        store(output_begin + i, uvec2(~0u), ~0u);
    }
}
