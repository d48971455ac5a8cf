#ifndef WEIR_SCAN_TILE_GLSL
#define WEIR_SCAN_TILE_GLSL

// A tile of a scan in the registers of a workgroup, for any monoid (monoid.glsl): its loads, reduction, scan and stores.
//
// chunks.glsl loads elements. Results are written as words to the outputs. With CUSTOM_STORE they are passed to the kernel's
//     void store(uint i, WEIR_T_VALUE element, WEIR_T_VALUE exclusive, WEIR_T_VALUE inclusive, uint n, bool is_last)
// for element i of n. SEGMENTED scans restart at heads (segments.glsl). With REDUCED_BY_KEY only the reduction of each run is written
// (run_tile.glsl). With EXTREMA, elements are numbers with their indices, and only the extrema of segments are written (extrema.glsl).

#include "interface.glsl"
#include "scan_interface.h"
layout(local_size_x_id = 0) in;

#define WEIR_OPERATOR SCAN_OPERATOR
#define WEIR_SHUFFLE_BARRIERS SHUFFLE_BARRIERS
#ifdef SEGMENTED
const uint INSTRUMENT_BINDING = SEGMENTED_END_BINDING;
#else
#define SATURATED_SUMS
const uint INSTRUMENT_BINDING = END_BINDING;
#endif
#include "instrument.glsl"
#ifdef EXTREMA
#include "extremum_monoid.glsl"
#define CUSTOM_LOAD
#define LOAD_FOLLOWS
#endif
#include "monoid.glsl"

#include "scan_push.glsl"
#include <weir/dispatch.glsl>
#include "workgroup_scan.glsl"

layout(set = 0, binding = COUNTS_BINDING) readonly buffer Counts { uint count_words[]; };
layout(set = 0, binding = OTHER_BINDING) writeonly buffer Other { uint other_words[]; };
layout(set = 0, binding = OTHER_BINDING) writeonly buffer OtherVectors { uvec4 other_vectors[]; };
#if !defined(SEGMENTED) || defined(REDUCED_BY_KEY)
layout(set = 0, binding = TOTAL_BINDING) buffer Total { uint total_words[]; };
#endif

// A window of a large scan starts with the total of the window before, and writes its own behind it: a fallback of another workgroup may
// still read the former.
#ifndef SEGMENTED
#define WEIR_CARRIED_WORDS total_words
#endif
#include "chunks.glsl"

#ifdef SEGMENTED
const uint FIRST_TOTAL_WORD = 0;
#else
const uint FIRST_TOTAL_WORD = INITIAL == INITIAL_CARRIED ? CARRY_WORDS : 0;
#endif

const uint TILE_CHUNKS = WORKGROUP * CHUNKS;
const uint TILE = TILE_CHUNKS * CHUNK;

#include "segments.glsl"

uint weir_element_count() {
    return COUNT_ON_GPU ? min(count_words[count_word], max_count) : max_count;
}

// Returns the index of this invocation's i-th chunk. Each subgroup has a contiguous part of the tile, striped over its lanes.
uint chunk_index(uint tile, uint i) {
    return tile * TILE_CHUNKS + (gl_SubgroupID * CHUNKS + i) * weir_subgroup_size() + weir_lane();
}

// Returns the reduction of one chunk per lane, in the order of lanes.
WEIR_T fold_lanes(WEIR_T folded) {
#ifdef WEIR_MONOID_EXACT
    return weir_subgroup_reduce(folded);
#else
    WEIR_T total;
    weir_subgroup_exclusive_scan(folded, total); // same operations as in scan_lanes
    return total;
#endif
}

void store_total(WEIR_T_VALUE total) {
#ifndef SEGMENTED
    uint words[WEIR_T_WORDS];
    words_of(total, words);
    [[unroll]] for (uint w = 0; w < WEIR_T_WORDS; ++w) {
        total_words[FIRST_TOTAL_WORD + w] = words[w];
    }
#endif
}

#ifdef SEGMENTED
uvec2 own_range; // result of range_in_segments for the tile
#endif

// Checks that element e of a chunk exists and is in a segment. Otherwise its results are not stored. `heads` is that of own_heads.
bool is_stored(uint index, uint e, uint count, uint heads) {
    const uint i = index * CHUNK + e;
#ifdef SEGMENTED
    if (SEGMENTS == SEGMENTS_IN_RANGES) {
        return (heads >> (STORED_SHIFT + e) & 1) != 0;
    }
    if (SEGMENTS == SEGMENTS_AT_OFFSETS) {
        return i >= own_range.x && i < own_range.y;
    }
#endif
    return i < count;
}

// Checks is_stored for all elements of a chunk.
bool is_chunk_stored(uint index, uint count, uint heads) {
#ifdef SEGMENTED
    if (SEGMENTS == SEGMENTS_IN_RANGES) {
        return heads >> STORED_SHIFT == (1u << CHUNK) - 1;
    }
    if (SEGMENTS == SEGMENTS_AT_OFFSETS) {
        return is_stored(index, 0, count, heads) && is_stored(index, CHUNK - 1, count, heads);
    }
#endif
    return index < count / CHUNK;
}

// Checks is_stored for all elements of a tile.
bool is_tile_stored(uint tile, uint count) {
#ifdef SEGMENTED
    if (SEGMENTS == SEGMENTS_IN_RANGES) {
        return false; // each chunk is checked
    }
    if (SEGMENTS == SEGMENTS_AT_OFFSETS && !(tile * TILE >= own_range.x && tile * TILE + (TILE - 1) < own_range.y)) {
        return false;
    }
#endif
    return tile < count / TILE;
}

#ifndef CUSTOM_STORE
void store_words(uint i, WEIR_T_VALUE value, bool other) {
    uint words[WEIR_T_WORDS];
    words_of(value, words);
    [[unroll]] for (uint w = 0; w < WEIR_T_WORDS; ++w) {
        const uint at = out_offset + i * out_stride + w;
        if (other) {
            other_words[at] = words[w];
        } else {
            out_words[at] = words[w];
        }
    }
}

void store_vectors(uint index, WEIR_T_VALUE chunk[CHUNK], bool other) {
    uint words[CHUNK_WORDS];
    [[unroll]] for (uint e = 0; e < CHUNK; ++e) {
        uint element[WEIR_T_WORDS];
        words_of(chunk[e], element);
        [[unroll]] for (uint w = 0; w < WEIR_T_WORDS; ++w) {
            words[e * WEIR_T_WORDS + w] = element[w];
        }
    }
    [[unroll]] for (uint v = 0; v < CHUNK_WORDS / 4; ++v) {
        const uint at = out_offset / 4 + index * (CHUNK_WORDS / 4) + v;
        const uvec4 vector = uvec4(words[v * 4], words[v * 4 + 1], words[v * 4 + 2], words[v * 4 + 3]);
        if (other) {
            other_vectors[at] = vector;
        } else {
            out_vectors[at] = vector;
        }
    }
}

// Stores a chunk that may extend beyond the end.
void store_chunk(uint index, bool whole, uint count, WEIR_T_VALUE chunk[CHUNK], uint heads, bool other) {
    if (whole || WHOLE_VECTORS && is_chunk_stored(index, count, heads)) {
        store_vectors(index, chunk, other);
    } else {
        [[unroll]] for (uint e = 0; e < CHUNK; ++e) {
            if (is_stored(index, e, count, heads)) {
                store_words(index * CHUNK + e, chunk[e], other);
            }
        }
    }
}
#endif

#if defined(SEGMENTED) && !defined(CUSTOM_STORE)
uvec2 own_offsets; // result of offsets_of_tile

#ifdef EXTREMA
#include "extrema.glsl"
#else
// Stores the reduction of a segment.
void store_segment(uint segment, WEIR_T_VALUE value) {
    store_words(segment, value, false);
}
#endif

// Stores the inclusive scan at the ends of segments in a chunk, which is the reduction of these segments.
void store_ends(uint index, uint count, WEIR_T_VALUE chunk[CHUNK], uint heads) {
    [[unroll]] for (uint e = 0; e < CHUNK; ++e) {
        const uint i = index * CHUNK + e;
        if (i == count - 1 || i < count && (heads >> (16 + e) & 1) != 0) {
            const uint segment = segment_of(i, own_offsets);
            const bool inside = SEGMENTS == SEGMENTS_IN_RANGES ? (heads >> (STORED_SHIFT + e) & 1) != 0 : segment != ~0u;
            if (inside && !(END_GIVEN && segment >= segment_count())) {
                store_segment(segment, chunk[e]);
            }
        }
    }
}

// Stores the reductions of segments without elements. Covers offsets in the tile, and all offsets behind it if the tile is the last one.
void store_empty_segments(uint tile, bool is_last, uint count) {
    const uint segments = segment_count(), offsets = offset_count();
    const uint past = is_last ? segments : min(own_offsets.y, segments);
    for (uint i = own_offsets.x; i < past; i += WORKGROUP) {
        const uint segment = i + weir_invocation();
        if (segment < past) {
            const uint begin = head_words[segment];
            const bool is_here = is_last || begin - tile * TILE < TILE;
            bool is_empty = begin >= count;
            if (SEGMENTS == SEGMENTS_IN_RANGES) {
                is_empty = is_empty || range_end(segment) <= begin;
            } else {
                is_empty = is_empty || segment + 1 < offsets && begin == head_words[segment + 1];
            }
            if (is_here && is_empty) {
                store_segment(segment, given_value(INITIAL != INITIAL_NONE));
            }
        }
    }
}
#endif

// Scans and stores a chunk. `running` is the reduction of everything before it.
void store_scan(uint index, bool whole, uint count, WEIR_T_VALUE chunk[CHUNK], uint heads, WEIR_T running) {
    WEIR_T_VALUE exclusive[CHUNK];
    WEIR_T_VALUE inclusive[CHUNK];
    [[unroll]] for (uint e = 0; e < CHUNK; ++e) {
        const WEIR_T element = item(chunk[e], heads, e);
        exclusive[e] = weir_value_of(preceding(running, element));
        running = weir_combine(running, element);
        inclusive[e] = weir_value_of(running);
    }
#ifdef CUSTOM_STORE
    [[unroll]] for (uint e = 0; e < CHUNK; ++e) {
        const uint i = index * CHUNK + e;
        if (is_stored(index, e, count, heads)) {
            store(i, chunk[e], exclusive[e], inclusive[e], count, i == count - 1);
        }
    }
#else
#ifdef SEGMENTED
    if (SEGMENT_ENDS) {
        store_ends(index, count, inclusive, heads);
    } else
#endif
    if (EXCLUSIVE) {
        store_chunk(index, whole, count, exclusive, heads, false);
    } else {
        store_chunk(index, whole, count, inclusive, heads, false);
    }
    if (BOTH && EXCLUSIVE) {
        store_chunk(index, whole, count, inclusive, heads, true);
    } else if (BOTH) {
        store_chunk(index, whole, count, exclusive, heads, true);
    }
#endif
    if (HAS_TOTAL && index == (count - 1) / CHUNK) {
        [[unroll]] for (uint e = 0; e < CHUNK; ++e) {
            if (index * CHUNK + e == count - 1) {
                store_total(inclusive[e]);
            }
        }
    }
}

WEIR_T_VALUE own_chunks[CHUNKS][CHUNK]; // the tile, and later its scan
uint own_heads[CHUNKS];

// Sets `lanes` to the prefixes of this lane's WEIR_SIDE_BY_SIDE chunks from `first` on. `before` is the reduction of everything before
// chunk `first` of lane 0, and is advanced to the end of these chunks.
void scan_lanes(uint first, inout WEIR_T before, out WEIR_T lanes[WEIR_SIDE_BY_SIDE]) {
    WEIR_T totals[WEIR_SIDE_BY_SIDE];
    [[unroll]] for (uint i = 0; i < WEIR_SIDE_BY_SIDE; ++i) {
        lanes[i] = weir_identity();
        if (first + i < CHUNKS) {
            lanes[i] = fold(own_chunks[first + i], own_heads[first + i]);
        }
    }
    weir_subgroup_exclusive_scans(lanes, totals);
    [[unroll]] for (uint i = 0; i < WEIR_SIDE_BY_SIDE; ++i) {
        lanes[i] = weir_combine(before, lanes[i]);
        if (first + i < CHUNKS) {
            before = weir_combine(before, totals[i]);
        }
    }
}

#ifdef REDUCED_BY_KEY
#include "run_tile.glsl"
#else

// Replaces the subgroup's part of the tile by its scan. Sets the bits of own_heads for results that do not depend on anything before the
// part. Returns the reduction of the part.
WEIR_T scan_tile() {
    WEIR_T sum = weir_identity();
    [[unroll]] for (uint first = 0; first < CHUNKS; first += WEIR_SIDE_BY_SIDE) {
        WEIR_T lanes[WEIR_SIDE_BY_SIDE];
        scan_lanes(first, sum, lanes);
        [[unroll]] for (uint j = 0; j < WEIR_SIDE_BY_SIDE; ++j) {
            const uint i = first + j;
            if (i >= CHUNKS) {
                break;
            }
            WEIR_T running = lanes[j];
            uint final = 0;
            [[unroll]] for (uint e = 0; e < CHUNK; ++e) {
                const WEIR_T element = item(own_chunks[i][e], own_heads[i], e);
                const WEIR_T next = weir_combine(running, element);
                WEIR_T result = next;
                if (EXCLUSIVE) {
                    result = preceding(running, element);
                }
                own_chunks[i][e] = weir_value_of(result);
                final |= uint(weir_has_head(result)) << e;
                running = next;
            }
            own_heads[i] = (own_heads[i] & 0xFFFF0000) | final;
        }
    }
    return sum;
}

// Stores the tile. If SCAN_LATE, scans it first. `before` is the reduction of everything before the subgroup's part.
void store_tile(uint tile, bool whole, uint count, WEIR_T before) {
    [[unroll]] for (uint first = 0; first < CHUNKS; first += WEIR_SIDE_BY_SIDE) {
        WEIR_T lanes[WEIR_SIDE_BY_SIDE];
        if (SCAN_LATE) {
            scan_lanes(first, before, lanes);
        }
        [[unroll]] for (uint j = 0; j < WEIR_SIDE_BY_SIDE; ++j) {
            const uint i = first + j;
            if (i >= CHUNKS) {
                break;
            }
            const uint index = chunk_index(tile, i);
            if (SCAN_LATE) {
                store_scan(index, whole, count, own_chunks[i], own_heads[i], lanes[j]);
            }
#ifndef CUSTOM_STORE
            if (!SCAN_LATE) {
                [[unroll]] for (uint e = 0; e < CHUNK; ++e) {
                    own_chunks[i][e] =
                        weir_value_of(weir_combine(before, weir_item_of(own_chunks[i][e], (own_heads[i] >> e & 1) != 0)));
                }
#ifdef SEGMENTED
                if (SEGMENT_ENDS) {
                    store_ends(index, count, own_chunks[i], own_heads[i]);
                } else
#endif
                store_chunk(index, whole, count, own_chunks[i], own_heads[i], false);
            }
#endif
        }
    }
}

#endif

// Loads elements and heads. `whole`: no element is beyond the end.
void load_elements(uint tile, bool whole, uint count) {
    [[unroll]] for (uint i = 0; i < CHUNKS; ++i) {
        const uint index = chunk_index(tile, i);
#ifndef CUSTOM_LOAD
        if (whole) {
            load_vectors(index, own_chunks[i]);
        } else
#endif
        {
            load_chunk(index, count, own_chunks[i]);
        }
        if (!HEADS_ARE_MARKED) {
            own_heads[i] = chunk_heads(tile, index, whole, count);
        }
    }
}

// Loads the tile's elements, and its heads unless HEADS_ARE_MARKED. One branch surrounds all loads, so that they are in flight together.
// Collective.
void load_own_tile(uint tile, uint count) {
#ifndef CUSTOM_LOAD
    if (WHOLE_VECTORS && tile < count / TILE) {
        load_elements(tile, true, count);
    } else
#endif
    {
        load_elements(tile, false, count);
    }
}

// Sets own_heads if HEADS_ARE_MARKED. Call it after load_own_tile. Collective.
void mark_own_heads(uint tile, uint count) {
#ifdef SEGMENTED
    if (HEADS_ARE_MARKED) {
        const uvec2 offsets = offsets_of_tile(tile);
        mark_heads(tile, offsets);
        [[unroll]] for (uint i = 0; i < CHUNKS; ++i) {
            own_heads[i] = chunk_heads(tile, chunk_index(tile, i), false, count);
            if (SEGMENTS == SEGMENTS_IN_RANGES) {
                own_heads[i] |= chunk_in_ranges(chunk_index(tile, i), own_heads[i], offsets, count);
            }
        }
#ifndef CUSTOM_STORE
        own_offsets = offsets;
#endif
        if (SEGMENTS == SEGMENTS_AT_OFFSETS) {
            own_range = range_in_segments(offsets, count);
        }
    }
#endif
}

// Returns the reduction of the subgroup's part of the tile. If the operator commutes, each invocation first folds its chunks, although they
// are not neighbors. Otherwise this also scans the tile, unless SCAN_LATE.
WEIR_T reduce_own_tile() {
    WEIR_T sum = weir_identity();
#if WEIR_MONOID_COMMUTES
    [[unroll]] for (uint i = 0; i < CHUNKS; ++i) {
        sum = weir_combine(sum, fold(own_chunks[i], own_heads[i]));
    }
    sum = weir_subgroup_reduce(sum);
#else
    if (SCAN_LATE) {
        [[unroll]] for (uint i = 0; i < CHUNKS; ++i) {
            sum = weir_combine(sum, fold_lanes(fold(own_chunks[i], own_heads[i])));
        }
    } else {
        sum = scan_tile();
    }
#endif
    return sum;
}

// Scans the tile if that is not done elsewhere. Call it between reduce_own_tile and store_own_tile.
void scan_own_tile() {
#if WEIR_MONOID_COMMUTES
    if (!SCAN_LATE) {
        scan_tile();
    }
#endif
}

#ifndef REDUCED_BY_KEY
// Stores the tile. One branch surrounds all stores, like the loads.
void store_own_tile(uint tile, uint count, WEIR_T before) {
    if (WHOLE_VECTORS && is_tile_stored(tile, count)) {
        store_tile(tile, true, count, before);
    } else {
        store_tile(tile, false, count, before);
    }
}

#endif

#endif
