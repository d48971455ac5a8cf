#ifndef WEIR_SEGMENTS_GLSL
#define WEIR_SEGMENTS_GLSL

#include "chunks.glsl"

// Elements with their segments. In the `heads` of a chunk, bit e is set if element e is the first of a segment, and bit 16 + e if it is the
// last. Without SEGMENTED there are no segments. Elements before the first offset are in no segment. With END_GIVEN, elements from the last
// offset on are in no segment either, and with ranges those between two ranges. Elements outside segments are scanned like segments, but
// their results are not stored.

#ifdef SEGMENTED

// A head is the first element of a segment. Element 0 is a head. Others are selected by SEGMENTS, which is weir::Segments::Kind minus 1.
// The kernel defines TILE and the push constants segment_size and segment_count_word.

const uint SEGMENTS_OF_LENGTH = 0;
const uint SEGMENTS_AT_FLAGS = 1;   // one word per element, nonzero at heads
const uint SEGMENTS_AT_BITS = 2;    // bit i % 32 of word i / 32
const uint SEGMENTS_OF_KEYS = 3;    // KEY_WORDS words per element; the key of a head differs from that of the previous element
const uint SEGMENTS_AT_OFFSETS = 4; // places of heads, ascending; two equal offsets enclose an empty segment
const uint SEGMENTS_IN_RANGES = 5;  // places of heads, ascending, and the ends of segments; empty if the end is not beyond the head

layout(set = 0, binding = HEADS_BINDING) readonly buffer Heads { uint head_words[]; };
layout(set = 0, binding = HEADS_BINDING) readonly buffer HeadVectors { uvec4 head_vectors[]; };
layout(set = 0, binding = SEGMENT_COUNTS_BINDING) readonly buffer SegmentCounts { uint segment_counts[]; };
#ifdef REDUCED_BY_KEY
uint range_end(uint segment) {
    return 0;
}
#else
layout(set = 0, binding = RANGE_ENDS_BINDING) readonly buffer RangeEnds { uint range_ends[]; };
uint range_end(uint segment) {
    return range_ends[segment];
}
#endif

// True if chunk_heads needs mark_heads first.
const bool HEADS_ARE_MARKED = SEGMENTS == SEGMENTS_AT_OFFSETS || SEGMENTS == SEGMENTS_IN_RANGES;

const uint TILE_HEAD_WORDS = HEADS_ARE_MARKED ? TILE / 32 + 1 : 1;
shared uint tile_heads[TILE_HEAD_WORDS]; // one bit for each element of the tile and the one after it

uint segment_count() {
    return SEGMENT_COUNT_ON_GPU ? min(segment_counts[segment_count_word], segment_size) : segment_size;
}

uint offset_count() {
    return segment_count() + uint(END_GIVEN);
}

// Returns the elements per segment. A length on the GPU or of a parameter may be 0, which counts as 1.
uint segment_length() {
    return max(segment_count(), 1);
}

// Returns the number of offsets below `value`. Each subgroup searches on its own, at as many places per step as it has lanes.
uint offsets_below(uint value) {
    uint low = 0;
    // The result is in [low, low + length]. If the count changes, lanes could read different values, but all must narrow one range.
    uint length = subgroupBroadcastFirst(offset_count());
    while (length > 0) {
        const uint step = (length - 1) / weir_subgroup_size() + 1;
        const uint at = weir_lane() * step;
        const bool is_below = at < length && head_words[low + at] < value;
        weir_await_lanes();
        const uint below = subgroupBallotBitCount(subgroupBallot(is_below));
        const uint past = below == 0 ? 0 : (below - 1) * step + 1;
        length = below == 0 ? 0 : min(below * step, length) - past;
        low += past;
    }
    return low;
}

// Returns the range [x, y) of offsets that are in the tile or directly behind it.
uvec2 offsets_of_tile(uint tile) {
    if (!HEADS_ARE_MARKED) {
        return uvec2(0);
    }
    const uint first = tile * TILE;
    return uvec2(offsets_below(first), offsets_below(first + min(TILE + 1, ~0u - first)));
}

// Returns a range of elements [x, y). An element of the tile is in a segment if it is in the range. `offsets` is offsets_of_tile(tile). All
// lanes get the same range, even if the buffers change during the reads. Collective.
uvec2 range_in_segments(uvec2 offsets, uint count) {
    uvec2 range = uvec2(0, count);
    if (offsets.x == 0) {
        range.x = offsets.y > 0 ? head_words[0] : count;
    }
    const uint segments = segment_count();
    if (END_GIVEN && offsets.y > segments) {
        range.y = min(head_words[segments], count);
    }
    return uvec2(subgroupBroadcastFirst(range.x), subgroupBroadcastFirst(range.y));
}

void mark_head(uint place) {
    if (place <= TILE) { // false for places in other tiles, and if offsets do not ascend
        atomicOr(tile_heads[place / 32], 1u << place % 32, gl_ScopeWorkgroup, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
    }
}

// Sets tile_heads. Call it before chunk_heads of chunks of another tile. `offsets` is offsets_of_tile(tile). Collective.
//
// The end of a range is marked too, so that the elements behind it are scanned like another segment. The range that begins last before the
// tile may end in it. Empty ranges are not marked: they may be anywhere between two others.
void mark_heads(uint tile, uvec2 offsets) {
    if (!HEADS_ARE_MARKED) {
        return;
    }
    const uint first = tile * TILE;
    for (uint i = 0; i < TILE_HEAD_WORDS; i += WORKGROUP) {
        if (i + weir_invocation() < TILE_HEAD_WORDS) {
            tile_heads[i + weir_invocation()] = 0;
        }
    }
    barrier();
    const bool ranges = SEGMENTS == SEGMENTS_IN_RANGES;
    for (uint i = ranges ? max(offsets.x, 1) - 1 : offsets.x; i < offsets.y; i += WORKGROUP) {
        const uint segment = i + weir_invocation();
        if (segment < offsets.y) {
            const uint begin = head_words[segment];
            const uint end = ranges ? range_end(segment) : ~0u;
            if (begin < end) {
                mark_head(begin - first);
                if (ranges) {
                    mark_head(end - first);
                }
            }
        }
    }
    barrier();
}

bool is_head(uint i) {
    if (SEGMENTS == SEGMENTS_AT_FLAGS) {
        return head_words[i] != 0;
    }
    if (SEGMENTS == SEGMENTS_AT_BITS) {
        return (head_words[i / 32] >> i % 32 & 1) != 0;
    }
    bool differs = false;
    for (uint w = 0; w < KEY_WORDS; ++w) {
        differs = differs || head_words[i * KEY_WORDS + w] != head_words[(i - 1) * KEY_WORDS + w];
    }
    return differs;
}

// Returns the heads of a whole chunk with one word per element. Not for the chunk of element 0.
uint heads_of_vector(uint index) {
    const uvec4 vector = head_vectors[index];
    uvec4 heads = uvec4(notEqual(vector, uvec4(0)));
    if (SEGMENTS == SEGMENTS_OF_KEYS) {
        const uint before = head_words[max(index * 4, 1) - 1];
        heads = uvec4(notEqual(vector, uvec4(before, vector.xyz)));
    }
    return heads.x | heads.y << 1 | heads.z << 2 | heads.w << 3;
}

// Returns a mask: bit e is set if element e of the chunk is a head. With SEGMENT_ENDS, bit CHUNK is set if the element after the chunk is a
// head. `whole`: the chunk does not extend beyond the end.
uint load_heads(uint tile, uint index, bool whole, uint count) {
    const uint first = index * CHUNK;
    const uint wanted = CHUNK + uint(SEGMENT_ENDS);
    uint heads = 0;
    if (SEGMENTS == SEGMENTS_OF_LENGTH) {
        const uint length = segment_length();
        uint place = first % length;
        for (uint e = 0; e < wanted; ++e) {
            heads |= uint(place == 0) << e;
            place = place + 1 == length ? 0 : place + 1;
        }
    } else if (HEADS_ARE_MARKED) {
        for (uint e = 0; e < wanted; ++e) {
            const uint place = first - tile * TILE + e;
            heads |= (tile_heads[place / 32] >> place % 32 & 1) << e;
        }
    } else if (CHUNK == 4 && !SEGMENT_ENDS && (whole || index < count / 4) &&
               (SEGMENTS == SEGMENTS_AT_FLAGS || SEGMENTS == SEGMENTS_OF_KEYS && KEY_WORDS == 1)) {
        heads = heads_of_vector(index);
    } else {
        for (uint e = 0; e < wanted; ++e) {
            if (first + e > 0 && first + e < count) {
                heads |= uint(is_head(first + e)) << e;
            }
        }
    }
    return heads | uint(index == 0);
}

// Returns the segment of element i, for segments of one length or at offsets. Returns ~0 if the element is in no segment.
uint segment_of(uint i, uvec2 offsets) {
    if (SEGMENTS == SEGMENTS_OF_LENGTH) {
        return i / segment_length();
    }
    while (offsets.x < offsets.y) {
        const uint middle = (offsets.x + offsets.y) / 2;
        if (head_words[middle] <= i) {
            offsets.x = middle + 1;
        } else {
            offsets.y = middle;
        }
    }
    return offsets.x - 1;
}

// Returns the first element of a segment, for segments of one length or at offsets.
uint begin_of(uint segment) {
    return SEGMENTS == SEGMENTS_OF_LENGTH ? segment * segment_length() : head_words[segment];
}

// Returns the elements of a chunk that are in ranges, as a mask that begins with bit STORED_SHIFT. `heads` is the result of chunk_heads.
const uint STORED_SHIFT = 24;
uint chunk_in_ranges(uint index, uint heads, uvec2 offsets, uint count) {
    uint stored = 0;
    bool inside = false;
    for (uint e = 0; e < CHUNK; ++e) {
        const uint i = index * CHUNK + e;
        if (e == 0 || (heads >> e & 1) != 0) {
            const uint segment = segment_of(i, offsets);
            inside = segment != ~0u && i < range_end(segment);
        }
        stored |= uint(inside && i < count) << (STORED_SHIFT + e);
    }
    return stored;
}

// Returns element e of a chunk as a WEIR_T. The first element of a segment is combined with the initial value.
WEIR_T item(WEIR_T_VALUE value, uint heads, uint e) {
    const bool head = (heads >> e & 1) != 0;
    if (head && INITIAL == INITIAL_ALWAYS) {
        value = weir_combine(initial_value(), value);
    }
    return weir_item_of(value, head);
}

// Returns the exclusive scan at an item. `running` is the reduction of the items before it.
WEIR_T preceding(WEIR_T running, WEIR_T item) {
    if (weir_has_head(item)) {
        running = weir_item_of(given_value(INITIAL != INITIAL_NONE), true);
    }
    return running;
}

// Returns the heads and ends of a chunk, as the mask that `item` takes.
uint chunk_heads(uint tile, uint index, bool whole, uint count) {
    const uint heads = load_heads(tile, index, whole, count);
    return (heads & 0xFFFF) | (heads >> 1) << 16;
}

#else

const bool HEADS_ARE_MARKED = false;

WEIR_T item(WEIR_T value, uint heads, uint e) {
    return value;
}

WEIR_T preceding(WEIR_T running, WEIR_T item) {
    return running;
}

uint chunk_heads(uint tile, uint index, bool whole, uint count) {
    return 0;
}

#endif

WEIR_T fold(WEIR_T_VALUE chunk[CHUNK], uint heads) {
    WEIR_T sum = item(chunk[0], heads, 0);
    [[unroll]] for (uint e = 1; e < CHUNK; ++e) {
        sum = weir_combine(sum, item(chunk[e], heads, e));
    }
    return sum;
}

#endif
