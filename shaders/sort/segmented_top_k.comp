#version 460
#extension GL_GOOGLE_include_directive : require

// Selects the first keys in sorted order of each segment, or of each of the PARTS parts of a segment, and stores them in the order of the
// input. A workgroup has one segment or part. It finds the last key to take, digit by digit from the highest, as radix_select.comp does. It
// stops when all keys that equal it so far are taken, or all digits are found. Then it takes the keys.
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
const uint LOADS = 4; // number of loads in flight at a time when keys are counted
const uint WORD_DIGITS = (31 + DIGIT_BITS) / DIGIT_BITS;
const uint OWN_DIGITS = (RADIX + WORKGROUP - 1) / WORKGROUP; // neighboring digits per invocation

shared uint counters[OWN_DIGITS * WORKGROUP];
shared uvec2 last_key; // last key to take; digits not found yet are 0
shared uint quota;     // number of keys to take that equal it in the digits found so far
shared uint equals;    // number of keys that equal it in the digits found so far

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

// Returns a key as an unsigned number. The minimum numbers are taken.
uvec2 loaded_key(uint i) {
    return key_of(in_keys[i * KEY_WORDS], in_keys[i * KEY_WORDS + KEY_WORDS - 1]) ^ (DESCENDING ? ~0u : 0);
}

// Returns the masked key. The low word is ignored for numbers of one word.
uvec2 digits_of(uvec2 key, uvec2 mask) {
    return KEY_WORDS == 1 ? uvec2(0, key.y & mask.y) : key & mask;
}

shared uint index_begin; // key with the index 0

uint index_of(uint i) {
    return INDICES && INDICES_GIVEN ? given_indices[i] : LOCAL_INDICES ? i - index_begin : i;
}

void put(uint at, uvec2 key, uint index) {
    const uvec2 number = number_of(key ^ (DESCENDING ? ~0u : 0));
    if (KEY_WORDS == 2) {
        chosen_keys[at * KEY_WORDS] = number.x;
    }
    chosen_keys[at * KEY_WORDS + KEY_WORDS - 1] = number.y;
    if (INDICES) {
        chosen_indices[at] = index;
    }
}

// Counts, by their next digit, the segment's keys that equal the last key under the mask. This function and those below are collective.
void count_digits(uint first, uint length, uvec2 mask, bool top, uint shift, uint bits) {
    for (uint value = weir_invocation(); value < OWN_DIGITS * WORKGROUP; value += WORKGROUP) {
        counters[value] = 0;
    }
    barrier();
    const uvec2 known = last_key;
    for (uint row = 0; row < length; row += WORKGROUP * LOADS) {
        const uint own = row + weir_invocation();
        uvec2 keys[LOADS];
        [[unroll]] for (uint i = 0; i < LOADS; ++i) {
            if (own + i * WORKGROUP < length) {
                keys[i] = loaded_key(first + own + i * WORKGROUP);
            }
        }
        [[unroll]] for (uint i = 0; i < LOADS; ++i) {
            if (own + i * WORKGROUP < length && digits_of(keys[i], mask) == known) {
                atomicAdd(counters[bitfieldExtract(top ? keys[i].y : keys[i].x, int(shift), int(bits))], 1, gl_ScopeWorkgroup,
                          gl_StorageSemanticsNone, gl_SemanticsRelaxed);
            }
        }
    }
    barrier();
}

// Finds the digit of the last key.
void find_digit(bool top, uint shift) {
    const uint rank = quota;
    uint sum = 0;
    for (uint i = 0; i < OWN_DIGITS; ++i) {
        sum += counters[weir_invocation() * OWN_DIGITS + i];
    }
    uint subgroup_sum;
    const uint before_lane = weir_subgroup_exclusive_scan(sum, subgroup_sum);
    weir_workgroup_reduce(subgroup_sum);
    uint before = weir_preceding_subgroups() + before_lane;
    for (uint i = 0; i < OWN_DIGITS; ++i) {
        const uint value = weir_invocation() * OWN_DIGITS + i;
        if (before < rank && rank - before <= counters[value]) { // true in one invocation
            last_key |= top ? uvec2(0, value << shift) : uvec2(value << shift, 0);
            quota = rank - before;
            equals = counters[value];
        }
        before += counters[value];
    }
    barrier();
}

// Finds the last key to take. Returns a mask of the digits found.
uvec2 find_last_key(uint first, uint length) {
    uvec2 mask = uvec2(0);
    for (uint digit = 0; digit < KEY_WORDS * WORD_DIGITS && equals != quota; ++digit) {
        const bool top = digit < WORD_DIGITS;
        const uint above = 32 - digit % WORD_DIGITS * DIGIT_BITS, bits = min(above, DIGIT_BITS), shift = above - bits; // bits of the word
        count_digits(first, length, mask, top, shift, bits);
        find_digit(top, shift);
        mask |= top ? uvec2(0, ~0u << shift) : uvec2(~0u << shift, 0);
    }
    return mask;
}

// Takes the keys that precede the last key under the mask, and the first of the keys that equal it.
void take_keys(uint first, uint length, uvec2 mask, uint output_begin) {
    const uvec2 known = last_key;
    uint taken = 0, taken_equals = 0; // counts in earlier rows; taken_equals includes equal keys that are not taken
    for (uint row = 0; row < length; row += WORKGROUP * ROW_KEYS) {
        const uint own = row + weir_invocation() * ROW_KEYS;
        uvec2 keys[ROW_KEYS];
        uint found[ROW_KEYS]; // 1 for a key that precedes, 1 << 16 for one that is equal
        uint sum = 0;
        [[unroll]] for (uint i = 0; i < ROW_KEYS; ++i) {
            found[i] = 0;
            if (own + i < length) {
                keys[i] = loaded_key(first + own + i);
                const uvec2 digits = digits_of(keys[i], mask);
                found[i] = digits == known ? 1u << 16 : uint(precedes(digits, known));
            }
            sum += found[i];
        }
        uint subgroup_sum;
        const uint before_lane = weir_subgroup_exclusive_scan(sum, subgroup_sum);
        const uint row_sum = weir_workgroup_reduce(subgroup_sum);
        uint before = weir_preceding_subgroups() + before_lane;
        [[unroll]] for (uint i = 0; i < ROW_KEYS; ++i) {
            const uint equals_before = taken_equals + (before >> 16);
            if (found[i] == 1 || found[i] > 1 && equals_before < quota) {
                put(output_begin + taken + (before & 0xFFFFu) + min(equals_before, quota), keys[i], index_of(first + own + i));
            }
            before += found[i];
        }
        taken += row_sum & 0xFFFFu;
        taken_equals += row_sum >> 16;
        barrier();
    }
}

shared uvec3 own_counts; // elements, segments and elements per segment, read by one invocation: counts on the GPU may change
shared uint own_first, own_length; // keys of the workgroup's part
shared uint shared_wanted;

void main() {
    if (weir_invocation() == 0) {
        own_counts = read_counts();
        shared_wanted = WANTED_ON_GPU ? min(wanted_counts[wanted_word], max_wanted) : max_wanted;
    }
    barrier();
    const uint count = own_counts.x, segments = own_counts.y, wanted = shared_wanted, group = weir_workgroup_index();
    segment_length = own_counts.z;
    if (WRITES_TOTAL && group == 0 && weir_invocation() == 0) {
        total[0] = segments * PARTS * wanted;
        total[1] = segments;
    }
    const uint segment = group / PARTS, part = group % PARTS;
    if (segment >= segments || wanted == 0) {
        return;
    }
    if (weir_invocation() == 0) { // one invocation reads the offsets as well
        const uint begin = segment_first(segment, count), size = max(segment_end(segment, segments, count), begin) - begin;
        const uint part_size = PARTS == 1 ? size : max((size + PARTS - 1) / PARTS, wanted);
        const uint before = PARTS == 1 ? 0 : min(part * part_size, size);
        own_first = begin + before;
        own_length = min(part_size, size - before);
        index_begin = begin;
        last_key = uvec2(0);
        quota = min(wanted, own_length);
        equals = own_length;
    }
    barrier();
    const uint first = own_first, length = own_length, taken = min(wanted, length);
    const uvec2 mask = find_last_key(first, length);
    take_keys(first, length, mask, group * wanted);
    for (uint i = taken + weir_invocation(); i < wanted; i += WORKGROUP) {
        put(group * wanted + i, uvec2(~0u), ~0u);
    }
}
