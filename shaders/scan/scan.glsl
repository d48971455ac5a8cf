// Single-pass scan with decoupled look-back and fallback, of any monoid (monoid.glsl).
//
// Elements come as chunks.glsl says; results are words of the outputs, or what CUSTOM_STORE's void store(uint i, T_VALUE element,
// T_VALUE exclusive, T_VALUE inclusive) does with them. SEGMENTED scans start anew at heads, which segments.glsl finds.

layout(constant_id = 0) const uint WORKGROUP = 256;
layout(constant_id = 1) const uint SUBGROUP = 0;
layout(constant_id = 2) const uint CHUNKS = 4; // per invocation; see CHUNK
layout(constant_id = 3) const uint MAX_SPINS = 64;
layout(constant_id = 4) const bool COUNT_ON_GPU = false;
layout(constant_id = 5) const uint SCAN_OPERATOR = 0;
layout(constant_id = 6) const bool EXCLUSIVE = false;
layout(constant_id = 7) const bool BOTH = false;       // `other` gets the other kind of scan
layout(constant_id = 8) const bool HAS_TOTAL = false;
layout(constant_id = 9) const uint INITIAL = 0; // 1: something precedes the first element; 2: it is only what nothing adds to
layout(constant_id = 10) const bool WHOLE_VECTORS = true; // elements follow each other from a multiple of 16 bytes on
layout(constant_id = 11) const bool IN_PLACE = false;     // the output is the input
layout(constant_id = 12) const uint MAX_BLOCKS = 1;       // of tiles, as spine_walk.glsl counts them
layout(constant_id = 15) const bool SHUFFLE_BARRIERS = false;  // see subgroup.glsl
layout(constant_id = 14) const bool IN_DISPATCH_ORDER = false; // tiles are taken by workgroup number, not by ticket
layout(constant_id = 13) const bool SCAN_LATE = true;     // scan the tile after the look-back; else the elements do not outlast it
layout(local_size_x_id = 0) in;

#define OPERATOR SCAN_OPERATOR
#define COLUMNS 1
#define OVERWRITES IN_PLACE
#define BARRIER_BEFORE_SHUFFLES SHUFFLE_BARRIERS
#define TILE_STATE_BINDING 2
#ifdef SEGMENTED
#define INSTRUMENT_BINDING 8
#else
#define INSTRUMENT_BINDING 6
#endif
#include "instrument.glsl"
#include "monoid.glsl"

layout(push_constant) uniform Push {
    uint max_count;  // elements; all of them unless the count is on the GPU
    uint count_word; // where the count is then
    uint in_offset;  // in words
    uint in_stride;
    uint out_offset;
    uint out_stride;
    uint initial_words[T_WORDS];
#ifdef SEGMENTED
    uint segment_size; // elements of each, for segments of one length; else offsets, all of them unless their count is on the GPU
    uint segment_count_word;
#endif
#ifdef INSTRUMENTED
    INSTRUMENT_PUSH
#endif
};

#include "dispatch.glsl"
#include "look_back.glsl"
#include "workgroup_scan.glsl"

layout(set = 0, binding = 3) readonly buffer Counts { uint count_words[]; };
layout(set = 0, binding = 4) writeonly buffer Other { uint other_words[]; };
layout(set = 0, binding = 4) writeonly buffer OtherVectors { uvec4 other_vectors[]; };
layout(set = 0, binding = 5) writeonly buffer Total { uint total_words[]; };

#include "chunks.glsl"

const uint TILE_CHUNKS = WORKGROUP * CHUNKS;
const uint TILE = TILE_CHUNKS * CHUNK;

#include "segments.glsl"

uint element_count() {
    return COUNT_ON_GPU ? min(count_words[count_word], max_count) : max_count;
}

// The i-th chunk of this invocation: each subgroup has a contiguous part of the tile, and its lanes take turns in it.
uint chunk_index(uint tile, uint i) {
    return tile * TILE_CHUNKS + (gl_SubgroupID * CHUNKS + i) * subgroup_size() + lane();
}

// What a chunk of each lane adds to, where order matters.
T fold_lanes(T folded) {
#ifdef MONOID_EXACT
    return subgroup_reduce(folded);
#else
    T total;
    subgroup_exclusive_scan(folded, total); // by the same operations as scan_lanes
    return total;
#endif
}

// In place, also orders what the workgroup reads and writes, on either side, against what others do. (The atomics themselves stay
// relaxed: on lavapipe 22.3 others, where not all invocations meet, count as barriers.)
void tile_barrier() {
    if (IN_PLACE) {
        controlBarrier(gl_ScopeWorkgroup, gl_ScopeDevice, gl_StorageSemanticsBuffer | gl_StorageSemanticsShared,
                       gl_SemanticsAcquireRelease);
    } else {
        barrier();
    }
}

T reduced_total;

// By the same operations as in main.
void reduce_tile(uint tile) {
    const uint count = element_count();
#ifdef SEGMENTED
    mark_heads(tile, offsets_of_tile(tile));
#endif
    T sum = identity();
    // Not unrolled: it is rarely run, and all its loads at once would take registers from the tile that is held meanwhile.
    [[dont_unroll]] for (uint i = 0; i < CHUNKS; ++i) {
        T_VALUE chunk[CHUNK];
        load_chunk(chunk_index(tile, i), count, chunk);
        const T folded = fold(chunk, chunk_heads(tile, chunk_index(tile, i), false, count));
#if MONOID_COMMUTES
        sum = combine(sum, folded);
    }
    sum = subgroup_reduce(sum);
#else
        sum = combine(sum, fold_lanes(folded));
    }
#endif
    reduced_total = workgroup_reduce(sum);
    tile_barrier();
}

T reduced_value(uint column) {
    return reduced_total;
}

void store_total(T_VALUE total) {
    uint words[T_WORDS];
    words_of(total, words);
    [[unroll]] for (uint w = 0; w < T_WORDS; ++w) {
        total_words[w] = words[w];
    }
}

#ifndef CUSTOM_STORE
void store_words(uint i, T_VALUE value, bool other) {
    uint words[T_WORDS];
    words_of(value, words);
    [[unroll]] for (uint w = 0; w < T_WORDS; ++w) {
        const uint at = out_offset + i * out_stride + w;
        if (other) {
            other_words[at] = words[w];
        } else {
            out_words[at] = words[w];
        }
    }
}

void store_vectors(uint index, T_VALUE chunk[CHUNK], bool other) {
    uint words[CHUNK_WORDS];
    [[unroll]] for (uint e = 0; e < CHUNK; ++e) {
        uint element[T_WORDS];
        words_of(chunk[e], element);
        [[unroll]] for (uint w = 0; w < T_WORDS; ++w) {
            words[e * T_WORDS + w] = element[w];
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

// A chunk that may be past the end.
void store_chunk(uint index, bool whole, uint count, T_VALUE chunk[CHUNK], bool other) {
    if (whole || WHOLE_VECTORS && index < count / CHUNK) {
        store_vectors(index, chunk, other);
    } else {
        [[unroll]] for (uint e = 0; e < CHUNK; ++e) {
            if (index * CHUNK + e < count) {
                store_words(index * CHUNK + e, chunk[e], other);
            }
        }
    }
}
#endif

#if defined(SEGMENTED) && !defined(CUSTOM_STORE)
uvec2 own_offsets; // offsets_of_tile

// Of the inclusive scan of a chunk, what segments end with.
void store_ends(uint index, uint count, T_VALUE chunk[CHUNK], uint heads) {
    [[unroll]] for (uint e = 0; e < CHUNK; ++e) {
        const uint i = index * CHUNK + e;
        if (i == count - 1 || i < count && (heads >> (16 + e) & 1) != 0) {
            const uint segment = segment_of(i, own_offsets);
            if (segment != ~0u) {
                store_words(segment, chunk[e], false);
            }
        }
    }
}

// Of the segments whose offset is in the tile, or behind all elements if the tile is the last one, those without elements.
void store_empty_segments(uint tile, bool is_last, uint count) {
    const uint segments = segment_count();
    const uint past = is_last ? segments : own_offsets.y;
    for (uint i = own_offsets.x; i < past; i += WORKGROUP) {
        const uint segment = i + invocation();
        if (segment < past) {
            const uint begin = head_words[segment];
            const bool is_here = is_last || begin - tile * TILE < TILE;
            if (is_here && (begin >= count || segment + 1 < segments && begin == head_words[segment + 1])) {
                store_words(segment, given_value(INITIAL != 0), false);
            }
        }
    }
}
#endif

// Writes what becomes of a chunk that `running` precedes.
void store_scan(uint index, bool whole, uint count, T_VALUE chunk[CHUNK], uint heads, T running) {
    T_VALUE exclusive[CHUNK];
    T_VALUE inclusive[CHUNK];
    [[unroll]] for (uint e = 0; e < CHUNK; ++e) {
        const T element = item(chunk[e], heads, e);
        exclusive[e] = value_of(preceding(running, element));
        running = combine(running, element);
        inclusive[e] = value_of(running);
    }
#ifdef CUSTOM_STORE
    [[unroll]] for (uint e = 0; e < CHUNK; ++e) {
        if (index * CHUNK + e < count) {
            store(index * CHUNK + e, chunk[e], exclusive[e], inclusive[e]);
        }
    }
#else
#ifdef SEGMENTED
    if (SEGMENT_ENDS) {
        store_ends(index, count, inclusive, heads);
    } else
#endif
    if (EXCLUSIVE) {
        store_chunk(index, whole, count, exclusive, false);
    } else {
        store_chunk(index, whole, count, inclusive, false);
    }
    if (BOTH && EXCLUSIVE) {
        store_chunk(index, whole, count, inclusive, true);
    } else if (BOTH) {
        store_chunk(index, whole, count, exclusive, true);
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

T_VALUE own_chunks[CHUNKS][CHUNK]; // the tile, and later its scan
uint own_heads[CHUNKS];

// What precedes each lane in the chunks from `first` on, the chunks before them included. `before` precedes them all, and moves past
// them.
void scan_lanes(uint first, inout T before, out T lanes[SIDE_BY_SIDE]) {
    T totals[SIDE_BY_SIDE];
    [[unroll]] for (uint i = 0; i < SIDE_BY_SIDE; ++i) {
        lanes[i] = identity();
        if (first + i < CHUNKS) {
            lanes[i] = fold(own_chunks[first + i], own_heads[first + i]);
        }
    }
    subgroup_exclusive_scans(lanes, totals);
    [[unroll]] for (uint i = 0; i < SIDE_BY_SIDE; ++i) {
        lanes[i] = combine(before, lanes[i]);
        before = combine(before, totals[i]);
    }
}

// The subgroup's part of the tile becomes its scan, and own_heads tell which results nothing before matters to. Returns its total.
T scan_tile() {
    T sum = identity();
    [[unroll]] for (uint first = 0; first < CHUNKS; first += SIDE_BY_SIDE) {
        T lanes[SIDE_BY_SIDE];
        scan_lanes(first, sum, lanes);
        [[unroll]] for (uint j = 0; j < SIDE_BY_SIDE; ++j) {
            const uint i = first + j;
            if (i >= CHUNKS) {
                break;
            }
            T running = lanes[j];
            uint final = 0;
            [[unroll]] for (uint e = 0; e < CHUNK; ++e) {
                const T element = item(own_chunks[i][e], own_heads[i], e);
                const T next = combine(running, element);
                T result = next;
                if (EXCLUSIVE) {
                    result = preceding(running, element);
                }
                own_chunks[i][e] = value_of(result);
                final |= uint(has_head(result)) << e;
                running = next;
            }
            own_heads[i] = (own_heads[i] & 0xFFFF0000) | final;
        }
    }
    return sum;
}

// Writes what becomes of the tile. `before` is what precedes the subgroup's part.
void store_tile(uint tile, bool whole, uint count, T before) {
    [[unroll]] for (uint first = 0; first < CHUNKS; first += SIDE_BY_SIDE) {
        T lanes[SIDE_BY_SIDE];
        if (SCAN_LATE) {
            scan_lanes(first, before, lanes);
        }
        [[unroll]] for (uint j = 0; j < SIDE_BY_SIDE; ++j) {
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
                        value_of(combine(before, item_of(own_chunks[i][e], (own_heads[i] >> e & 1) != 0)));
                }
#ifdef SEGMENTED
                if (SEGMENT_ENDS) {
                    store_ends(index, count, own_chunks[i], own_heads[i]);
                } else
#endif
                store_chunk(index, whole, count, own_chunks[i], false);
            }
#endif
        }
    }
}

// Elements and heads. `whole`: none of them are past the end.
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

shared uint own_tile;

void main() {
    const uint groups = weir_workgroup_count();
    const bool alone = groups == 1; // has nothing to tell, and leaves the tile states as they are
    const uint count = element_count();
    const uint tiles = count / TILE + uint(count % TILE != 0);
    // A ticket must come before the first load. Where workgroups start in the order of their numbers, that order will do: should one
    // not, what a tile misses, it computes. The ticket is then for the epoch alone.
    uint tile = weir_workgroup_index();
    uint ticket = 0;
    if (!IN_DISPATCH_ORDER && !alone) {
        if (invocation() == 0) {
            taken_ticket = draw_ticket();
        }
        barrier();
        ticket = taken_ticket;
        tile = ticket_place(ticket);
    }
    if (invocation() == 0) {
        stalled_tile = 0;
        own_tile = tile;
    }

    // One branch around all loads, so that they are under way at the same time.
#ifndef CUSTOM_LOAD
    if (WHOLE_VECTORS && tile < count / TILE) {
        load_elements(tile, true, count);
    } else
#endif
    {
        load_elements(tile, false, count);
    }
    if (IN_DISPATCH_ORDER && !alone && invocation() == 0) {
        ticket = draw_ticket(); // under way with the loads, and not looked at before they have come
    }

#ifdef SEGMENTED
    if (HEADS_ARE_MARKED) {
        const uvec2 offsets = offsets_of_tile(tile);
        mark_heads(tile, offsets);
        [[unroll]] for (uint i = 0; i < CHUNKS; ++i) {
            own_heads[i] = chunk_heads(tile, chunk_index(tile, i), false, count);
        }
#ifndef CUSTOM_STORE
        own_offsets = offsets;
#endif
    }
#endif

    // Reduce and post as early as possible: others wait for it. Where the operator commutes, an invocation's chunks, which are
    // apart, are folded first.
    T sum = identity();
#if MONOID_COMMUTES
    [[unroll]] for (uint i = 0; i < CHUNKS; ++i) {
        sum = combine(sum, fold(own_chunks[i], own_heads[i]));
    }
    sum = subgroup_reduce(sum);
#else
    if (SCAN_LATE) {
        [[unroll]] for (uint i = 0; i < CHUNKS; ++i) {
            sum = combine(sum, fold_lanes(fold(own_chunks[i], own_heads[i])));
        }
    } else {
        sum = scan_tile();
    }
#endif
    if (invocation() == 0) {
        taken_ticket = ticket;
    }
    const T aggregate = workgroup_reduce(sum);
    ticket = taken_ticket;
    const uint epoch = ticket_epoch(ticket);
    if (tile < tiles && !alone) {
        begin_walk(tile, epoch, aggregate, item_of(initial_value(), false));
    }
    if (!alone) {
        hand_in_ticket(ticket, groups, tiles);
    }
#if defined(SEGMENTED) && !defined(CUSTOM_STORE)
    if (SEGMENT_ENDS && SEGMENTS == SEGMENTS_AT_OFFSETS && tile < max(tiles, 1)) {
        store_empty_segments(tile, tile + 1 >= tiles, count);
    }
#endif
    if (tile >= tiles) {
        if (HAS_TOTAL && count == 0 && tile == 0 && invocation() == 0) {
            store_total(given_value(INITIAL != 0));
        }
        return;
    }
    T before = preceding_subgroups();

#if MONOID_COMMUTES
    // Where there are more tiles than run at a time, others use the time of this scan, and polls before it would come too early and
    // slow down those who post. Where all tiles run together, it is better waited for after the look-back, among the stores.
    if (!SCAN_LATE) {
        scan_tile();
    }
#endif
    if (alone) {
        before = combine(item_of(initial_value(), false), before);
    } else {
        look_back(tile, epoch);
        before = combine(tile_prefix, before);
        if (IN_PLACE) {
            if (invocation() == 0) {
                settle(tile, epoch);
            }
            tile_barrier();
        }
    }

    // Read again, so that no register keeps what it takes to address the chunks since they were loaded. And one branch around all
    // stores, as around the loads.
    tile = own_tile;
    if (WHOLE_VECTORS && tile < count / TILE) {
        store_tile(tile, true, count, before);
    } else {
        store_tile(tile, false, count, before);
    }
}
