// Compaction: stores elements in parts, each in the order of the input, and counts the elements of each part.
//
// A subgroup has a contiguous piece of the tile, in rows of as many elements as it has lanes. Ballots rank the elements of a row, and
// stores of a row are coalesced.
//
// An element is in the first part whose predicate holds, otherwise in the last part. With RANKS 1 elements of part 0 are counted, with
// RANKS 2 also those of part 1. With RANKS 2, PARTS is 3 or 1. If it is 1, the part holds the elements of part 0 and the first elements of
// part 1, in the order of the input.
//
// With LARGE a dispatch selects from a window of the elements, which may be more than a binding can access. There is one part, stored by
// address. Each window writes the place at which the next one continues.

#include "compaction.glsl"
#include "classify.glsl"

#ifdef LARGE
layout(buffer_reference, std430, buffer_reference_align = 4) writeonly buffer OutWord { uint word; };
#else
layout(set = 0, binding = FIRST_ITEMS_BINDING) writeonly buffer FirstItems { uint first_items[]; };
layout(set = 0, binding = SECOND_ITEMS_BINDING) writeonly buffer SecondItems { uint second_items[]; };
layout(set = 0, binding = THIRD_ITEMS_BINDING) writeonly buffer ThirdItems { uint third_items[]; };
layout(set = 0, binding = FIRST_INDICES_BINDING) writeonly buffer FirstIndices { uint first_indices[]; };
layout(set = 0, binding = SECOND_INDICES_BINDING) writeonly buffer SecondIndices { uint second_indices[]; };
layout(set = 0, binding = INDEX_MAP_BINDING) readonly buffer IndexMap { uint index_map[]; };
layout(set = 0, binding = THIRD_INDICES_BINDING) writeonly buffer ThirdIndices { uint third_indices[]; };
#endif

bool has_lane(uvec4 lanes) {
    return WEIR_ONE_WORD ? (lanes.x & gl_SubgroupEqMask.x) != 0 : subgroupInverseBallot(lanes);
}

uint element_index(uint tile, uint r) {
    return tile * TILE + (gl_SubgroupID * ROWS + r) * weir_subgroup_size() + weir_lane();
}

// Returns whether the loaded element is in part 0, and, with RANKS 2, whether it is in part 1.
bvec2 classify(uint i) {
    const bool is_first = is_in(0, i);
    bool is_second = false;
    if (RANKS == 2) {
        is_second = !is_first && is_in(1, i);
    }
    return bvec2(is_first, is_second);
}

WEIR_T count_marks(bvec2 marks) {
#if RANKS == 2
    return WEIR_T(marks);
#else
    return WEIR_T(marks.x);
#endif
}

// True if lanes can diverge when an element is classified. They must then reconverge before each ballot.
const bool MAY_DIVERGE = CLASSIFIER == CLASSIFIER_CUSTOM || NUMBERS == NUMBERS_REAL || RANKS == 2;

uint own_items[ROWS][ITEM_WORDS];
// The lanes whose elements are in part 0 and in part 1, for each row.
uvec4 own_firsts[ROWS];
#if RANKS == 2
uvec4 own_seconds[ROWS];
#endif

// Loads and classifies the tile. `whole`: no element is beyond the end. One branch surrounds all loads, so that they are in flight
// together.
WEIR_T load_own_rows(uint tile, bool whole, uint count) {
    begin_classes();
    [[unroll]] for (uint r = 0; r < ROWS; ++r) {
        const uint i = element_index(tile, r);
        if (whole || i < count) {
            load_item(i);
        }
        [[unroll]] for (uint w = 0; w < ITEM_WORDS; ++w) {
            own_items[r][w] = item[w];
        }
    }
    WEIR_T own = weir_identity();
    [[unroll]] for (uint r = 0; r < ROWS; ++r) {
        const uint i = element_index(tile, r);
        [[unroll]] for (uint w = 0; w < ITEM_WORDS; ++w) {
            item[w] = own_items[r][w];
        }
        bvec2 marks = bvec2(false);
        if (whole || i < count) {
            marks = classify(i);
        }
        own += count_marks(marks);
        if (r == 0 || !whole || MAY_DIVERGE) {
            weir_await_lanes();
        }
        own_firsts[r] = subgroupBallot(marks.x);
#if RANKS == 2
        own_seconds[r] = subgroupBallot(marks.y);
#endif
    }
    return own;
}

WEIR_T load_own_tile(uint tile, uint count) {
    if (tile < count / TILE) {
        return load_own_rows(tile, true, count);
    }
    return load_own_rows(tile, false, count);
}

WEIR_T count_own_tile(uint tile, uint count) {
    begin_classes();
    WEIR_T own = weir_identity();
    [[dont_unroll]] for (uint r = 0; r < ROWS; ++r) {
        const uint i = element_index(tile, r);
        if (i < count) {
            load_item(i);
            own += count_marks(classify(i));
        }
    }
    return own;
}

// Returns how many of the first `seconds` elements of part 1 are stored along with part 0.
uint joined(uint seconds) {
    return PARTS == 1 && RANKS == 2 ? min(seconds, wanted_equals()) : 0;
}

#ifdef LARGE
void store_item(uint part, uint rank, uint r, uint i) {
    const uvec2 place = add_to_place(places[window], rank);
    if (!is_before(place, uvec2(room[0], room[1]))) {
        return;
    }
    if (WRITES_ITEMS) {
        const uvec2 address = address_of(address_of(first_address, uvec2(out_offset, 0), 4), place, 4 * out_stride);
        [[unroll]] for (uint w = 0; w < ITEM_WORDS; ++w) {
            OutWord(add_to_place(address, 4 * w)).word = own_items[r][w];
        }
    }
    if (WRITES_INDICES) {
        OutWord(address_of(WRITES_ITEMS ? second_address : first_address, place, 4)).word = first_index + i;
    }
}
#else
void store_item(uint part, uint rank, uint r, uint i) {
    if (!has_room(part, rank)) {
        return;
    }
    if (WRITES_ITEMS) {
        [[unroll]] for (uint w = 0; w < ITEM_WORDS; ++w) {
            const uint at = first_stored_word(rank) + w;
            if (part == 0) {
                first_items[at] = own_items[r][w];
            } else if (part == 1) {
                second_items[at] = own_items[r][w];
            } else {
                third_items[at] = own_items[r][w];
            }
        }
    }
    if (WRITES_INDICES) {
        if (part == 0) {
            first_indices[rank] = MAPS_INDICES ? index_map[i] : i;
        } else if (part == 1) {
            second_indices[rank] = i;
        } else {
            third_indices[rank] = i;
        }
    }
}

#endif

void store_own_tile(uint tile, uint count, WEIR_T before, WEIR_T in_tile, WEIR_T aggregate) {
    before += in_tile;
#if RANKS == 1
    if (PARTS == 1) { // if few elements are kept, most subgroups keep none
        uvec4 any = own_firsts[0];
        [[unroll]] for (uint r = 1; r < ROWS; ++r) {
            any |= own_firsts[r];
        }
        if (!weir_is_any(any)) {
            return;
        }
    }
#endif
    [[unroll]] for (uint r = 0; r < ROWS; ++r) {
        const uint i = element_index(tile, r);
        const bool is_first = has_lane(own_firsts[r]);
        const uint rank = first_of(before) + weir_count_lanes_before(own_firsts[r]);
#if RANKS == 2
        const bool is_second = has_lane(own_seconds[r]);
        const uint second_rank = before.y + weir_count_lanes_before(own_seconds[r]);
        if (is_first || PARTS == 1 && is_second && joined(second_rank + 1) > second_rank) {
            store_item(0, rank + joined(second_rank), r, i);
        } else if (PARTS == 3 && is_second) {
            store_item(1, second_rank, r, i);
        } else if (PARTS == 3 && i < count) {
            store_item(2, i - rank - second_rank, r, i);
        }
        before += WEIR_T(weir_count_lanes(own_firsts[r]), weir_count_lanes(own_seconds[r]));
#else
        if (is_first) {
            store_item(0, rank, r, i);
        }
        if (PARTS == 2 && !is_first && i < count) {
            store_item(1, i - rank, r, i);
        }
        before += weir_count_lanes(own_firsts[r]);
#endif
    }
}

#ifdef LARGE
void store_counts(uint count, WEIR_T total) {
    places[window + PLACE_STRIDE] = add_to_place(places[window], first_of(total));
}
#else
void store_counts(uint count, WEIR_T total) {
    part_counts[0] = first_of(total) + joined(second_of(total));
    if (PARTS == 2) {
        part_counts[1] = count - first_of(total);
    }
    if (PARTS == 3) {
        part_counts[1] = second_of(total);
        part_counts[2] = count - first_of(total) - second_of(total);
    }
}
#endif
