#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_KHR_memory_scope_semantics : require

// A rank sort ("comparison counting", Knuth, The Art of Computer Programming, 5.2): the place of a key is the number of keys of its segment
// that precede it. A workgroup ranks GROUP_KEYS keys by comparing each of them with all keys of its segment, which pass through workgroup
// memory. Several invocations share the comparisons of a key. No workgroup waits for another, and no operations of subgroups are needed.
//
// Equal keys keep their order: a key precedes another one if it is smaller, or if it is equal and before it in the input.

#include "interface.glsl"
#include "rank_sort_interface.h"
#pragma use_vulkan_memory_model
#ifdef NARROW_KEYS
#include "packed_storage.glsl"
#else
#include "total_order.glsl"
#endif
#include <weir/dispatch.glsl>
layout(local_size_x_id = 0) in;

layout(push_constant) uniform Push {
    uint max_count; // elements or rows
    uint count_word;
    uvec2 compared; // mask of the bits that are compared, of the unsigned key with the order of the number
    uvec2 flips;    // all bits for descending order
    uint segment_size; // elements per segment, or number of offsets (maximum if the count is on the GPU)
    uint segment_count_word;
};

layout(set = 0, binding = KEYS_BINDING) readonly buffer Keys { uint in_keys[]; };
layout(set = 0, binding = SORTED_KEYS_BINDING) writeonly buffer SortedKeys { uint out_keys[]; };
layout(set = 0, binding = VALUES_BINDING) readonly buffer Values { uint in_values[]; };
layout(set = 0, binding = SORTED_VALUES_BINDING) writeonly buffer SortedValues { uint out_values[]; };
layout(set = 0, binding = COUNTS_BINDING) readonly buffer Counts { uint counts[]; };
layout(set = 0, binding = OFFSETS_BINDING) readonly buffer Offsets { uint offsets[]; };
layout(set = 0, binding = SEGMENT_COUNT_BINDING) readonly buffer SegmentCounts { uint segment_counts[]; };

// Returns the words of a key in memory. A key of one word is in x.
uvec2 load_key(uint at) {
#ifdef NARROW_KEYS
    return uvec2(load_bits(at), 0);
#else
    return KEY_WORDS == 1 ? uvec2(in_keys[at], 0) : uvec2(in_keys[2 * at], in_keys[2 * at + 1]);
#endif
}

void store_key(uint at, uvec2 key) {
#ifdef NARROW_KEYS
    store_bits(at, key.x);
#else
    for (uint word = 0; word < KEY_WORDS; ++word) {
        out_keys[at * KEY_WORDS + word] = key[word];
    }
#endif
}

// Returns the unsigned number by which a key is sorted. That of a key of one word is in x.
uvec2 number_of_key(uvec2 key) {
#ifdef NARROW_KEYS
    const uvec2 number = uvec2(order_bits(key.x), 0);
#else
    const uvec2 number = KEY_WORDS == 1 ? uvec2(key_of(0, key.x).y, 0) : key_of(key.x, key.y);
#endif
    return (number ^ flips) & compared;
}

const uint INVOCATIONS = WORKGROUP / GROUP_KEYS; // per key

// Keys are compared four at a time.
const uint STAGED_QUADS = 512 / KEY_WORDS;
const uint STAGED_KEYS = 4 * STAGED_QUADS;
shared uvec4 low_words[STAGED_QUADS];
shared uvec4 high_words[KEY_WORDS == 2 ? STAGED_QUADS : 1];

void stage_keys(uint base, uint end) {
    for (uint i = 0; i < STAGED_QUADS; i += WORKGROUP) {
        const uint quad = i + gl_LocalInvocationIndex;
        const uint first = base + 4 * quad;
        if (quad < STAGED_QUADS && first < end) {
            uvec2 numbers[4];
            [[unroll]] for (uint e = 0; e < 4; ++e) {
                numbers[e] = number_of_key(load_key(min(first + e, end - 1)));
            }
            low_words[quad] = uvec4(numbers[0].x, numbers[1].x, numbers[2].x, numbers[3].x);
            if (KEY_WORDS == 2) {
                high_words[quad] = uvec4(numbers[0].y, numbers[1].y, numbers[2].y, numbers[3].y);
            }
        }
    }
}

// Returns 1 if `a` precedes `b`. Equal keys precede each other if `ties` is set.
uint preceding(uint low, uint high, uvec2 b, bool ties) {
    const bool is_lower = ties ? low <= b.x : low < b.x;
    return uint(KEY_WORDS == 1 ? is_lower : high < b.y || high == b.y && is_lower);
}

// Returns how many keys of a quad precede `key`.
uint preceding_of_quad(uint quad, uvec2 key, bool ties) {
    const uvec4 low = low_words[quad];
    const uvec4 high = KEY_WORDS == 2 ? high_words[quad] : uvec4(0);
    return preceding(low.x, high.x, key, ties) + preceding(low.y, high.y, key, ties) + preceding(low.z, high.z, key, ties) +
           preceding(low.w, high.w, key, ties);
}

// Returns how many of the staged keys [begin, end) precede `key`, the one at place `own`. Counts the share of invocation `part` of the key.
// The keys of the workgroup are those from place `first` on. Places are relative to the first staged key.
uint preceding_staged(uint begin, uint end, uint own, uint first, uvec2 key, uint part) {
    uint sum = 0;
    // Quads with keys of the workgroup are compared key by key, and so are the quads at both ends of a segment.
    const uint begin_quad = (begin + 3) / 4, end_quad = max(end / 4, begin_quad);
    const uint first_own = clamp(first / 4, begin_quad, end_quad);
    const uint end_own = clamp((first + GROUP_KEYS + 3) / 4, begin_quad, end_quad);
    [[dont_unroll]] for (uint quad = begin_quad + part; quad < first_own; quad += INVOCATIONS) {
        sum += preceding_of_quad(quad, key, true);
    }
    [[dont_unroll]] for (uint quad = end_own + part; quad < end_quad; quad += INVOCATIONS) {
        sum += preceding_of_quad(quad, key, false);
    }
    const uvec3 begins = uvec3(begin, 4 * first_own, 4 * end_quad);
    const uvec3 ends = uvec3(min(4 * begin_quad, end), 4 * end_own, end);
    [[dont_unroll]] for (uint range = 0; range < 3; ++range) {
        const uint end_of_range = ends[range];
        [[dont_unroll]] for (uint at = begins[range] + part; at < end_of_range; at += INVOCATIONS) {
            sum += preceding(low_words[at / 4][at % 4], KEY_WORDS == 2 ? high_words[at / 4][at % 4] : 0, key, at < own);
        }
    }
    return sum;
}

shared uint shared_count, shared_length, shared_end; // number of elements, elements per segment, end of the last segment
shared uint begin_of_first, end_of_last;             // places, for the segments of the workgroup's first and last key
shared uint heads;                                   // bit i is set if the i-th key of the workgroup is the first of a segment
shared uint staged_begin, staged_end;
shared uint ranks[GROUP_KEYS];

const uint NO_SEGMENT = ~0u;

// Sets the shared numbers. Collective.
void find_segments(uint first) {
    if (gl_LocalInvocationIndex == 0) {
        const uint given = COUNT_ON_GPU ? min(counts[count_word], max_count) : max_count;
        const uint number = SEGMENT_COUNT_ON_GPU ? min(segment_counts[segment_count_word], segment_size) : segment_size;
        const uint count = SEGMENTS == RANK_ROWS ? given * number : given;
        shared_count = count;
        shared_length = SEGMENTS == RANK_ALL ? max(count, 1) : number;
        shared_end = SEGMENTS == RANK_AT_OFFSETS && END_GIVEN ? min(offsets[number], count) : count;
        begin_of_first = 0; // 1 more than the offset; 0: none
        end_of_last = shared_end;
        heads = 0;
        staged_begin = ~0u;
        staged_end = 0;
    }
    if (gl_LocalInvocationIndex < GROUP_KEYS) {
        ranks[gl_LocalInvocationIndex] = 0;
    }
    barrier();
    if (SEGMENTS == RANK_AT_OFFSETS) {
        // All offsets are compared with the keys' places, which takes less time than a search by loads that depend on each other.
        const uint offset_count = shared_length;
        [[dont_unroll]] for (uint i = gl_LocalInvocationIndex; i < offset_count; i += WORKGROUP) {
            const uint offset = offsets[i];
            if (offset <= first) {
                atomicMax(begin_of_first, offset + 1, gl_ScopeWorkgroup, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
            } else if (offset < first + GROUP_KEYS) {
                atomicOr(heads, 1u << offset - first, gl_ScopeWorkgroup, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
            } else {
                atomicMin(end_of_last, offset, gl_ScopeWorkgroup, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
            }
        }
        barrier();
    }
}

// Returns the segment [x, y) of the key at place `at`, the `i`-th key of the workgroup. x is NO_SEGMENT if the key is in no segment.
uvec2 segment_of(uint at, uint i) {
    if (at >= shared_end) {
        return uvec2(NO_SEGMENT, 0);
    }
    if (SEGMENTS == RANK_ALL) {
        return uvec2(0, shared_end);
    }
    if (SEGMENTS != RANK_AT_OFFSETS) {
        const uint begin = at - at % max(shared_length, 1);
        return uvec2(begin, begin + min(shared_length, shared_end - begin));
    }
    const uint before = heads & ~0u >> 31 - i, after = heads & ~1u << i;
    const uint first = at - i;
    return uvec2(before != 0 ? first + findMSB(before) : begin_of_first - 1,
                 after != 0 ? min(first + findLSB(after), shared_end) : end_of_last);
}

void main() {
    const uint i = gl_LocalInvocationIndex % GROUP_KEYS, part = gl_LocalInvocationIndex / GROUP_KEYS;
    const uint first = weir_workgroup_index() * GROUP_KEYS, at = first + i;
    find_segments(first);
    const uvec2 segment = segment_of(at, i);
    const bool is_sorted = segment.x != NO_SEGMENT;
    uvec2 key = uvec2(0);
    uint value[VALUE_WORDS == 0 ? 1 : VALUE_WORDS];
    if (is_sorted) {
        key = load_key(at);
        [[unroll]] for (uint word = 0; word < VALUE_WORDS; ++word) {
            value[word] = INDICES ? at - (LOCAL_INDICES ? segment.x : 0) : in_values[at * VALUE_WORDS + word];
        }
        if (part == 0) {
            atomicMin(staged_begin, segment.x, gl_ScopeWorkgroup, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
            atomicMax(staged_end, segment.y, gl_ScopeWorkgroup, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
        }
    }
    barrier();
    const uvec2 number = number_of_key(key);
    const uint end = staged_end;
    uint sum = 0;
    [[dont_unroll]] for (uint base = staged_begin & ~3u; base < end; base += STAGED_KEYS) {
        stage_keys(base, end);
        barrier();
        if (is_sorted && segment.x < base + STAGED_KEYS && base < segment.y) {
            // All staged keys are behind a key before the chunk, as they are behind one at its first place.
            sum += preceding_staged(max(segment.x, base) - base, min(segment.y - base, STAGED_KEYS), max(at, base) - base,
                                    max(first, base) - base, number, part);
        }
        barrier();
    }
    if (is_sorted && sum != 0) {
        atomicAdd(ranks[i], sum, gl_ScopeWorkgroup, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
    }
    barrier();
    if (!is_sorted) {
        return;
    }
    const uint place = segment.x + min(ranks[i], segment.y - segment.x - 1);
    if (WRITES_KEYS && part == 0) {
        store_key(place, key);
    }
    if (part == INVOCATIONS - 1) {
        [[unroll]] for (uint word = 0; word < VALUE_WORDS; ++word) {
            out_values[place * VALUE_WORDS + word] = value[word];
        }
    }
}
