#ifndef WEIR_PATHS_CLIPS_GLSL
#define WEIR_PATHS_CLIPS_GLSL

// Finds the strips of some draws in the tile. The strips of a row of tiles ascend by draw.

uint row_end() {
    return min(rows[row].y, capacity);
}

// Returns the first strip in the row of draw `draw` or a later one.
uint first_strip(uint draw) {
    uint low = rows[row].x, high = row_end();
    while (low < high) {
        const uint middle = (low + high) / 2;
        if (strips[middle].draw < draw) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

// Examines one strip per lane, from `first` on. Returns the lanes whose strip reaches the tile and belongs to a draw
// before `end_draw`. `kind`: span_of_clip to find strips of clips, own_kind to find others. `is_end`: there are no more.
uvec4 reaching(uint first, uint end_draw, uint kind, out bool is_end) {
    const uint strip = first + gl_SubgroupInvocationID;
    bool is_before = false, is_in_tile = false;
    if (strip < row_end()) {
        is_before = strips[strip].draw < end_draw;
        is_in_tile = is_before && is_reaching(spans[strip], kind);
    }
    is_end = subgroupAny(!is_before);
    return subgroupBallot(is_in_tile);
}

bool is_reached(uint first_draw, uint end_draw) {
    bool is_end = false;
    for (uint first = first_strip(first_draw); !is_end; first += lanes) {
        if (reaching(first, end_draw, own_kind, is_end) != uvec4(0)) {
            return true;
        }
    }
    return false;
}

bool draw_clip(uint first_draw, uint end_draw, out float visibility[pixels]) {
    bool is_end = false, is_visible = false;
    for (uint i = 0; i < pixels; ++i) {
        visibility[i] = 0.0;
    }
    for (uint first = first_strip(first_draw); !is_end; first += lanes) {
        uvec4 found = reaching(first, end_draw, span_of_clip, is_end);
        const uint count = subgroupBallotBitCount(found);
        is_visible = is_visible || count != 0;
        for (uint n = 0; n < count; ++n) {
            const uint lane = subgroupBallotFindLSB(found), strip = first + lane;
            found[lane / 32] &= ~(1u << lane % 32);
            const bool is_gap = is_gap_of(spans[strip]);
            const uint begin = strips[strip].first_cut, end = is_gap ? begin : strips[strip + 1].first_cut;
            float sums[pixels];
            add_windings(begin, end, is_gap ? strips[strip].after : strips[strip].before, load_line(begin, end), sums);
            const bool even_odd = (draws[strips[strip].draw].flags & draw_is_even_odd) != 0;
            for (uint i = 0; i < pixels; ++i) {
                visibility[i] += (1.0 - visibility[i]) * coverage(sums[i], even_odd);
            }
        }
    }
    return is_visible;
}

#endif
