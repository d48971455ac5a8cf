// A scan along the columns of a row-major matrix, for any monoid (monoid.glsl). Neighboring invocations have neighboring columns, so that
// their loads and stores are coalesced.
//
// A strip is WIDTH columns. A workgroup goes down a strip tile by tile. Each column of a tile has WORKGROUP / WIDTH invocations, each with
// ROWS consecutive rows. If there are few strips, each is divided into parts, and there are three dispatches: PHASE_REDUCE, PHASE_SPINE,
// PHASE_SCAN. The spine is a matrix with one row per part. It holds the reductions of the parts, and after PHASE_SPINE their prefixes.

#include "interface.glsl"
#include "column_scan_interface.h"
layout(local_size_x_id = 0) in;

const bool WHOLE_VECTORS = false;
#define WEIR_OPERATOR SCAN_OPERATOR
#define WEIR_SHUFFLE_BARRIERS SHUFFLE_BARRIERS
#include "monoid.glsl"

layout(push_constant) uniform Push {
    uint rows; // PHASE_SPINE: number of parts
    uint columns;
    uint in_offset; // in words
    uint in_stride; // WEIR_T_WORDS
    uint in_pitch;  // distance between rows, in elements
    uint out_offset;
    uint out_pitch;
    uint turns; // tiles per part
    uint initial_words[WEIR_T_WORDS];
};

#include "chunks.glsl"
#include <weir/dispatch.glsl>

layout(set = 0, binding = SPINE_BINDING) buffer Spine { uint spine_words[]; };

const uint IN_COLUMN = WORKGROUP / WIDTH; // invocations per column
const uint TILE_ROWS = IN_COLUMN * ROWS;

shared WEIR_T column_values[WORKGROUP];

WEIR_T load_spine(uint part, uint column) {
    uint words[WEIR_T_WORDS];
    [[unroll]] for (uint w = 0; w < WEIR_T_WORDS; ++w) {
        words[w] = spine_words[(part * columns + column) * WEIR_T_WORDS + w];
    }
    return weir_from_words(words);
}

void store_spine(uint part, uint column, WEIR_T value) {
    uint words[WEIR_T_WORDS];
    weir_to_words(value, words);
    [[unroll]] for (uint w = 0; w < WEIR_T_WORDS; ++w) {
        spine_words[(part * columns + column) * WEIR_T_WORDS + w] = words[w];
    }
}

WEIR_T load_at(uint row, uint column) {
    if (PHASE == PHASE_SPINE) {
        return load_spine(row, column);
    }
    return load(row * in_pitch + column);
}

void store_at(uint row, uint column, WEIR_T value) {
    if (PHASE == PHASE_SPINE) {
        store_spine(row, column, value);
        return;
    }
    uint words[WEIR_T_WORDS];
    words_of(value, words);
    [[unroll]] for (uint w = 0; w < WEIR_T_WORDS; ++w) {
        out_words[out_offset + (row * out_pitch + column) * WEIR_T_WORDS + w] = words[w];
    }
}

// Returns the reduction of the rows before this invocation's in its column of the tile. `total` is the reduction of the column.
WEIR_T scan_column(WEIR_T value, uint place, out WEIR_T total) {
    const uint at = weir_invocation();
    column_values[at] = value;
    barrier();
    for (uint reach = 1; reach < IN_COLUMN; reach *= 2) {
        WEIR_T before = weir_identity();
        if (place >= reach) {
            before = column_values[at - reach * WIDTH];
        }
        barrier();
        if (place >= reach) {
            value = weir_combine(before, value);
            column_values[at] = value;
        }
        barrier();
    }
    total = column_values[(IN_COLUMN - 1) * WIDTH + at % WIDTH];
    WEIR_T before = weir_identity();
    if (place > 0) {
        before = column_values[at - WIDTH];
    }
    barrier(); // the next tile overwrites column_values
    return before;
}

void main() {
    const uint strips = (columns - 1) / WIDTH + 1;
    const uint strip = weir_workgroup_index() % strips, part = weir_workgroup_index() / strips;
    const uint column = strip * WIDTH + weir_invocation() % WIDTH, place = weir_invocation() / WIDTH;
    const bool is_inside = column < columns;
    const uint part_rows = turns * TILE_ROWS;
    if (part > (rows - 1) / part_rows) {
        return;
    }
    WEIR_T before_tile = weir_identity();
    if (PHASE == PHASE_ALONE || PHASE == PHASE_SPINE) {
        before_tile = initial_value();
    } else if (PHASE == PHASE_SCAN && is_inside) {
        before_tile = load_spine(part, column);
    }
    for (uint turn = 0; turn < turns; ++turn) {
        const uint first = part * part_rows + turn * TILE_ROWS + place * ROWS;
        WEIR_T values[ROWS];
        WEIR_T sum = weir_identity();
        [[unroll]] for (uint i = 0; i < ROWS; ++i) {
            values[i] = weir_identity();
            if (is_inside && first + i < rows) {
                values[i] = load_at(first + i, column);
            }
            sum = weir_combine(sum, values[i]);
        }
        WEIR_T total;
        WEIR_T before = weir_combine(before_tile, scan_column(sum, place, total));
        before_tile = weir_combine(before_tile, total);
        if (PHASE == PHASE_REDUCE) {
            continue;
        }
        [[unroll]] for (uint i = 0; i < ROWS; ++i) {
            const WEIR_T inclusive = weir_combine(before, values[i]);
            if (is_inside && first + i < rows) {
                const bool is_exclusive = EXCLUSIVE || PHASE == PHASE_SPINE;
                WEIR_T stored = inclusive;
                if (is_exclusive) {
                    stored = before;
                }
                store_at(first + i, column, stored);
            }
            before = inclusive;
        }
    }
    if (PHASE == PHASE_REDUCE && is_inside && place == 0) {
        store_spine(part, column, before_tile);
    }
}
