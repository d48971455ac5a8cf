// Computes the strips of a row of tiles from its cuts, in the order of draws and columns. One workgroup per row.
//
// KEY_WORDS=0: the cuts of the row are in a bin, in any order. The workgroup sorts them in its memory.
// KEY_WORDS=1, 2: the cuts of the picture are sorted by keys of one or two words.
#version 460
#extension GL_GOOGLE_include_directive : require

layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint bin_cuts = 256;  // capacity of a bin
layout(constant_id = 2) const uint sort_room = 256; // a power of two, at least 8 and bin_cuts

#include <weir/weir_workgroup_scan.glsl>

#include "frame.glsl"

layout(std430, set = 0, binding = 0) readonly buffer Keys {
    uint keys[];
};
layout(std430, set = 0, binding = 0) readonly buffer Bins {
    uvec2 bins[]; // draw and column, index among the unsorted cuts
};
layout(std430, set = 0, binding = 1) readonly buffer Cuts {
    uvec2 cuts[];
};
layout(std430, set = 0, binding = 2) readonly buffer Draws {
    Draw draws[];
};
layout(std430, set = 0, binding = 3) buffer RowCuts {
    uint row_cuts[]; // number of cuts of each row, then the number of places of all rows
};
layout(std430, set = 0, binding = 4) writeonly buffer Strips {
    Strip strips[];
};
layout(std430, set = 0, binding = 5) writeonly buffer Spans {
    uint spans[];
};
layout(std430, set = 0, binding = 6) writeonly buffer Rows {
    uvec2 rows[];
};
layout(std430, set = 0, binding = 7) buffer StripNumber {
    uint strip_count;
};
layout(std430, set = 0, binding = 8) buffer LongestRow {
    uint longest_row;
};
#if KEY_WORDS == 0
layout(std430, set = 0, binding = 9) writeonly buffer SortedCuts {
    uvec2 sorted_cuts[];
};
shared uvec2 entries[sort_room + sort_room / 16];

// Returns the place of an entry in workgroup memory. Gaps let neighbouring invocations access entries at distances of
// 8 without bank conflicts.
uint slot_of(uint i) {
    return i + i / 16;
}
#endif

// State of a run of cuts: the number of strips that begin in it, and the sum of the heights of the cuts in each row of
// pixels since the latest start of a draw. Bit 31 of `strips` is set if a draw starts in the run.
struct State {
    uint strips, w01, w23;
};
const uint draw_begins = 1u << 31;

uint sum_of_halves(uint a, uint b) {
    return (a & 0x7FFF7FFFu) + (b & 0x7FFF7FFFu) ^ (a ^ b) & 0x80008000u;
}

State joined(State left, State right) {
    if ((right.strips & draw_begins) != 0) {
        return State((left.strips & ~draw_begins) + right.strips, right.w01, right.w23);
    }
    return State(left.strips + right.strips, sum_of_halves(left.w01, right.w01), sum_of_halves(left.w23, right.w23));
}

WEIR_SHUFFLE_3(State, strips, w01, w23)
WEIR_WORKGROUP_SCAN(state, State, joined, State(0, 0, 0))
const uint ITEMS = 2; // cuts per invocation
WEIR_WORKGROUP_SCAN_ITEMS(state, State, joined, ITEMS)

uint height_in(int y0, int y1, int row) {
    return uint(clamp(y1 - row * subpixels, 0, subpixels) - clamp(y0 - row * subpixels, 0, subpixels));
}

uint heights(uvec2 cut, int row) { // for two rows of pixels
    int y0 = int(cut.x >> 13 & 0x7FFu), y1 = int(cut.y >> 13 & 0x7FFu);
    if ((cut.x & cut_is_aliased) != 0) { // rows whose centers are between the ends
        y0 = y0 + 127 & ~255;
        y1 = y1 + 127 & ~255;
    }
    const uint first = height_in(y0, y1, row), second = height_in(y0, y1, row + 1);
    return cut.x >> 31 != 0 ? -first & 0xFFFFu | -second << 16 : first | second << 16;
}

bool is_full(uint halves, bool is_even_odd) {
    const ivec2 windings = ivec2(bitfieldExtract(int(halves), 0, 16), int(halves) >> 16);
    return is_even_odd ? (windings & 511) == ivec2(subpixels) : all(greaterThanEqual(abs(windings), ivec2(subpixels)));
}

// Returns the part of a span that describes its gap: `tiles`, the distance to the next strip, if they are filled.
uint gap_of(State sum, uint tiles, uint flags) {
    const bool is_even_odd = (flags & draw_is_even_odd) != 0;
    const uint kind = ((flags & draw_is_clip) != 0 ? span_of_clip : 0) | flags & draw_effect_depth;
    if (tiles == 0 || ((sum.w01 | sum.w23) & (is_even_odd ? 0x01FF01FFu : 0xFFFFFFFFu)) == 0) {
        return kind;
    }
    const bool is_opaque =
        (flags & draw_is_opaque) != 0 && is_full(sum.w01, is_even_odd) && is_full(sum.w23, is_even_odd);
    return tiles << span_gap_shift | kind | (is_opaque ? span_is_opaque : 0);
}

uint row;
uint first_cut, first_strip; // places of those of the row

struct Place {
    uint draw, past; // past: column + 1
};

// Returns the place of a cut of the row.
Place place_of(uint i) {
#if KEY_WORDS == 2
    const uint low = keys[2 * (first_cut + i)], high = keys[2 * (first_cut + i) + 1];
    return Place(low >> column_bits | (high & (1u << row_shift) - 1) << 32 - column_bits,
                 low & (1u << column_bits) - 1);
#else
    const uint places = columns + 2;
#if KEY_WORDS == 1
    const uint key = keys[first_cut + i] - row * (draw_count * places);
#else
    const uint key = entries[slot_of(i)].x;
#endif
    return Place(key / places, key % places);
#endif
}

#if KEY_WORDS == 0
bool is_before(uvec2 a, uvec2 b) {
    return a.x < b.x || a.x == b.x && a.y < b.y;
}

void put_in_order(inout uvec2 a, inout uvec2 b, bool descends) {
    const bool swaps = is_before(b, a) != descends;
    const uvec2 first = swaps ? b : a;
    b = swaps ? a : b;
    a = first;
}

#define IN_ORDER(a, b) put_in_order(own[a], own[b], descends);

// Batcher's network for 8 entries.
void sort_eight(inout uvec2 own[8], bool descends) {
    IN_ORDER(0, 1) IN_ORDER(2, 3) IN_ORDER(4, 5) IN_ORDER(6, 7)
    IN_ORDER(0, 2) IN_ORDER(1, 3) IN_ORDER(4, 6) IN_ORDER(5, 7) IN_ORDER(1, 2) IN_ORDER(5, 6)
    IN_ORDER(0, 4) IN_ORDER(1, 5) IN_ORDER(2, 6) IN_ORDER(3, 7) IN_ORDER(2, 4) IN_ORDER(3, 5)
    IN_ORDER(1, 2) IN_ORDER(3, 4) IN_ORDER(5, 6)
}

// One to three steps of a bitonic merge.
void merge_eight(inout uvec2 own[8], uint steps, bool descends) {
    IN_ORDER(0, 4) IN_ORDER(1, 5) IN_ORDER(2, 6) IN_ORDER(3, 7)
    if (steps > 1) {
        IN_ORDER(0, 2) IN_ORDER(1, 3) IN_ORDER(4, 6) IN_ORDER(5, 7)
    }
    if (steps > 2) {
        IN_ORDER(0, 1) IN_ORDER(2, 3) IN_ORDER(4, 5) IN_ORDER(6, 7)
    }
}

// Sorts the entries by draw, column, and index of the cut, in a bitonic network. An invocation orders 8 entries at a
// time in registers, at distances of 2^bit. `padded`: a power of two, at least 8.
void sort_entries(uint padded) {
    for (uint log_size = 3; 1u << log_size <= padded; ++log_size) {
        for (uint end = log_size; end != 0; end = (end - 1) / 3 * 3) {
            const uint bit = end - 3, steps = end - (end - 1) / 3 * 3;
            barrier();
            for (uint group = 0; group < padded / 8; group += gl_WorkGroupSize.x) {
                const uint i = group + weir_invocation(), low = i & (1u << bit) - 1, first = 8 * (i - low) + low;
                if (i < padded / 8) {
                    uvec2 own[8];
                    [[unroll]] for (uint k = 0; k < 8; ++k) {
                        own[k] = entries[slot_of(first + (k << bit))];
                    }
                    const bool descends = (first >> log_size & 1) != 0;
                    if (log_size == 3) {
                        sort_eight(own, descends);
                    } else {
                        merge_eight(own, steps, descends);
                    }
                    [[unroll]] for (uint k = 0; k < 8; ++k) {
                        entries[slot_of(first + (k << bit))] = own[k];
                    }
                }
            }
        }
    }
    barrier();
}
#endif

uvec2 cut_of(uint i) {
#if KEY_WORDS == 0
    const uvec2 cut = cuts[entries[slot_of(i)].y];
    sorted_cuts[first_cut + i] = cut;
    return cut;
#else
    return cuts[first_cut + i];
#endif
}

#if KEY_WORDS == 0
shared uint shared_first;

// Sorts the cuts of the row, and reserves places for them and their strips.
void begin_row(uint count) {
    if (weir_invocation() == 0) {
        shared_first = atomicAdd(row_cuts[gl_NumWorkGroups.x * row_stride], count + 1);
    }
    const uint padded = 1u << max(findMSB(max(count, 1) - 1) + 1, 3);
    for (uint first = 0; first < padded; first += gl_WorkGroupSize.x) {
        const uint i = first + weir_invocation();
        if (i < padded) {
            entries[slot_of(i)] = i < count ? bins[row * bin_cuts + i] : uvec2(~0u);
        }
    }
    sort_entries(padded);
    first_cut = shared_first;
    first_strip = shared_first;
}
#else
WEIR_WORKGROUP_SUM(sum)

// Finds the cuts of the row among those of the picture.
void begin_row(uint count) {
    uint before = 0;
    for (uint first = 0; first < row; first += gl_WorkGroupSize.x) {
        const uint other = first + weir_invocation();
        before += other < row ? row_cuts[other * row_stride] : 0;
    }
    first_cut = sum_reduce(before);
    first_strip = first_cut + row; // each row has room for one strip per cut, and one more
}
#endif

// Writes what an item of the row contributes to strips. `exclusive`: state before the item.
void write_item(uint i, Place place, Place next, uint flags, State own, State exclusive) {
    const State inclusive = joined(exclusive, own);
    const uint strip = first_strip + (inclusive.strips & ~draw_begins) - 1;
    if ((own.strips & ~draw_begins) != 0) {
        strips[strip].draw = place.draw;
        strips[strip].first_cut = first_cut + i;
        strips[strip].before = (own.strips & draw_begins) != 0 ? uvec2(0) : uvec2(exclusive.w01, exclusive.w23);
    }
    if (next != place) {
        const uint end = next.draw != place.draw ? columns + 1 : min(next.past, columns + 1);
        const uint gap = max(end, place.past + 1) - place.past - 1;
        strips[strip].after = uvec2(inclusive.w01, inclusive.w23);
        spans[strip] = place.past | gap_of(inclusive, gap, flags);
    }
}

void main() {
    row = gl_WorkGroupID.x;
    uint count = row_cuts[row * row_stride];
    if (weir_invocation() == 0) {
        atomicMax(longest_row, count);
    }
#if KEY_WORDS == 0
    count = min(count, bin_cuts);
#endif
    begin_row(count);

    State before = State(0, 0, 0);
    for (uint first = 0; first < count; first += gl_WorkGroupSize.x * ITEMS) {
        const uint i = first + weir_invocation() * ITEMS;
        Place places[ITEMS + 2]; // from that of the cut before
        [[unroll]] for (uint k = 0; k < ITEMS + 2; ++k) {
            places[k] = i + k - 1 < count ? place_of(i + k - 1) : Place(no_draw, 0);
        }
        State own[ITEMS];
        uint flags[ITEMS];
        [[unroll]] for (uint k = 0; k < ITEMS; ++k) {
            own[k] = State(0, 0, 0);
            flags[k] = 0;
            if (i + k < count) {
                const Place place = places[k + 1], previous = places[k];
                const uvec2 cut = cut_of(i + k);
                flags[k] = draws[place.draw].flags;
                own[k] = State((previous.draw != place.draw ? draw_begins : 0) + (previous != place ? 1 : 0),
                               heights(cut, 0), heights(cut, 2));
            }
        }
        State exclusive[ITEMS] = own, total;
        state_exclusive_scan(exclusive, total);
        [[unroll]] for (uint k = 0; k < ITEMS; ++k) {
            if (i + k < count) {
                write_item(i + k, places[k + 1], places[k + 2], flags[k], own[k], joined(before, exclusive[k]));
            }
        }
        before = joined(before, total);
        barrier(); // before the next scan
    }
    if (weir_invocation() == 0) {
        const uint made = before.strips & ~draw_begins;
        rows[row] = made == 0 ? uvec2(0) : uvec2(first_strip, first_strip + made);
        strips[first_strip + made].first_cut = first_cut + count;
        atomicAdd(strip_count, made);
    }
}
