// Finds the runs of equal elements. Stores their heads in order, and with RANKS 2 their lengths.
//
// A subgroup has a contiguous piece of the tile, in rows. Each lane has GROUP neighboring elements of a row. The places of heads are
// compacted in workgroup memory, from which stores are coalesced.

#if RANKS == 2
#define LAST_KEPT
#endif
#include "compaction.glsl"

layout(set = 0, binding = INPUT_BINDING) readonly buffer InputVectors { uvec4 in_vectors[]; };
layout(set = 0, binding = VALUES_BINDING) readonly buffer Values { uint value_words[]; };
layout(set = 0, binding = FIRST_ITEMS_BINDING) writeonly buffer Heads { uint heads[]; };
layout(set = 0, binding = OUTPUT_VALUES_BINDING) writeonly buffer OutValues { uint out_values[]; };
layout(set = 0, binding = LENGTHS_BINDING) writeonly buffer Lengths { uint lengths[]; };
layout(set = 0, binding = FIRST_INDICES_BINDING) writeonly buffer Indices { uint indices[]; };

const uint GROUP = ROWS % 4 == 0 ? 4 : 1;
const uint GROUPS = ROWS / GROUP;
const bool AS_VECTORS = GROUP == 4 && ITEM_WORDS == 1 && DENSE && !REPEATED_ONLY;

uint element_index(uint tile, uint e) {
    return tile * TILE + ((gl_SubgroupID * GROUPS + e / GROUP) * weir_subgroup_size() + weir_lane()) * GROUP + e % GROUP;
}

// One bit per element of the lane: heads of kept runs, and with REPEATED_ONLY the last elements of these runs.
uint own_heads;
uint own_ends;

// Returns true if the loaded element differs from element i. Compares bits, without branches.
bool differs_from(uint i) {
    uint difference = 0;
    [[unroll]] for (uint w = 0; w < ITEM_WORDS; ++w) {
        difference |= item[w] ^ in_words[first_word(i) + w];
    }
    return difference != 0;
}

void mark(uint e, uint i, uint count) {
    load_item(i);
    bool is_head = differs_from(max(i, 1) - 1);
    is_head = i == 0 || is_head;
    if (REPEATED_ONLY) {
        bool is_end = differs_from(min(i + 1, count - 1));
        is_end = i == count - 1 || is_end;
        own_ends |= uint(is_end && !is_head) << e;
        is_head = is_head && !is_end;
    }
    own_heads |= uint(is_head) << e;
}

WEIR_T own_count(uint tile) {
#if RANKS == 2
    return WEIR_T(bitCount(own_heads), own_heads == 0 ? 0 : element_index(tile, findMSB(own_heads)) + 1);
#else
    return bitCount(own_heads);
#endif
}

void mark_vectors(uint tile) {
    uvec4 words[GROUPS];
    uint before[GROUPS];
    [[unroll]] for (uint g = 0; g < GROUPS; ++g) {
        const uint i = element_index(tile, g * GROUP);
        words[g] = in_vectors[i / 4];
        before[g] = in_words[max(i, 1) - 1];
    }
    [[unroll]] for (uint g = 0; g < GROUPS; ++g) {
        const uvec4 differ = uvec4(notEqual(words[g], uvec4(before[g], words[g].xyz))) << uvec4(0, 1, 2, 3);
        own_heads |= (differ.x | differ.y | differ.z | differ.w) << g * GROUP;
    }
    if (element_index(tile, 0) == 0) {
        own_heads |= 1;
    }
}

WEIR_T load_own_tile(uint tile, uint count) {
    own_heads = 0;
    own_ends = 0;
    if (AS_VECTORS && tile < count / TILE) {
        mark_vectors(tile);
    } else {
        [[unroll]] for (uint e = 0; e < ROWS; ++e) {
            const uint i = element_index(tile, e);
            if (i < count) {
                mark(e, i, count);
            }
        }
    }
    return own_count(tile);
}

WEIR_T count_own_tile(uint tile, uint count) {
    const uint heads_held = own_heads, ends_held = own_ends;
    own_heads = 0;
    [[dont_unroll]] for (uint e = 0; e < ROWS; ++e) {
        const uint i = element_index(tile, e);
        if (i < count) {
            mark(e, i, count);
        }
    }
    const WEIR_T own = own_count(tile);
    own_heads = heads_held;
    own_ends = ends_held;
    return own;
}

uint own_group(uint g) {
    return bitfieldExtract(own_heads, int(g * GROUP), int(GROUP));
}

// Number of heads of the tile before each of the lane's groups. The counts of several rows share a word.
const uint FIELD_BITS = SUBGROUP - 1 < 255 / GROUP ? 8 : 16; // 16 bits for an unknown size (0) or one above 255 / GROUP
const uint FIELDS = 32 / FIELD_BITS;
uint group_ranks[GROUPS];

void rank_groups(uint rank) {
    weir_await_lanes();
    [[unroll]] for (uint first = 0; first < GROUPS; first += FIELDS) {
        uint counts = 0;
        [[unroll]] for (uint f = 0; f < FIELDS; ++f) {
            if (first + f < GROUPS) {
                counts |= bitCount(own_group(first + f)) << f * FIELD_BITS;
            }
        }
        const uint totals = subgroupAdd(counts);
        const uint before = subgroupExclusiveAdd(counts);
        [[unroll]] for (uint f = 0; f < FIELDS; ++f) {
            if (first + f < GROUPS) {
                group_ranks[first + f] = rank + bitfieldExtract(before, int(f * FIELD_BITS), int(FIELD_BITS));
                rank += bitfieldExtract(totals, int(f * FIELD_BITS), int(FIELD_BITS));
            }
        }
    }
}

// Returns the number of heads of the tile before this lane's element e.
uint rank_of(uint e) {
    return group_ranks[e / GROUP] + bitCount(own_group(e / GROUP) & (1u << e % GROUP) - 1);
}

const uint STARTS = TILE < MOST_STARTS ? TILE : MOST_STARTS;
shared uint starts[STARTS + 1];

void store_length(uint run, uint length) {
#if RANKS == 2
    if (has_room(0, run)) {
        lengths[run] = length;
    }
#endif
}

void store_head(uint run, uint i) {
    if (!has_room(0, run)) {
        return;
    }
    if (WRITES_ITEMS) {
        load_item(i);
        [[unroll]] for (uint w = 0; w < ITEM_WORDS; ++w) {
            heads[first_stored_word(run) + w] = item[w];
        }
    }
    for (uint w = 0; w < VALUE_WORDS; ++w) {
        out_values[run * VALUE_WORDS + w] = value_words[i * VALUE_WORDS + w];
    }
    if (WRITES_INDICES) {
        indices[run] = i;
    }
}

// With REPEATED_ONLY, stores the lengths of runs that end in the tile. `before` holds the last head before the tile. `first` is the first
// of the tile's heads in workgroup memory.
void store_lengths_of_repeated(uint tile, uint first, WEIR_T before) {
    [[unroll]] for (uint e = 0; e < ROWS; ++e) {
        if ((own_ends >> e & 1) != 0) {
            const uint heads_before = rank_of(e);
            const uint run = first_of(before) + heads_before - 1;
            const uint end = element_index(tile, e) + 1;
            if (heads_before == 0 && first == 0 && first_of(before) != 0) {
                store_length(run, end + 1 - second_of(before));
            } else if (heads_before - 1 - first < STARTS) {
                store_length(run, end - starts[heads_before - 1 - first]);
            }
        }
    }
}

void store_own_tile(uint tile, uint count, WEIR_T before, WEIR_T in_tile, WEIR_T aggregate) {
    rank_groups(first_of(in_tile));
    const uint tile_heads = first_of(aggregate);
    uint first = 0;
    do {
        barrier();
        [[unroll]] for (uint e = 0; e < ROWS; ++e) {
            if ((own_heads >> e & 1) != 0 && rank_of(e) - first <= STARTS) {
                starts[rank_of(e) - first] = element_index(tile, e);
            }
        }
        barrier();
        if (RANKS == 2 && REPEATED_ONLY) {
            store_lengths_of_repeated(tile, first, before);
        }
        for (uint i = 0; i < STARTS && i < tile_heads - first; i += WORKGROUP) {
            const uint k = i + weir_invocation();
            if (k < STARTS && k < tile_heads - first) {
                const uint run = first_of(before) + first + k;
                store_head(run, starts[k]);
                if (RANKS == 2 && !REPEATED_ONLY && first + k + 1 < tile_heads) {
                    store_length(run, starts[k + 1] - starts[k]);
                }
            }
        }
        // A run ends at the head of the next run, or after the last element.
        if (RANKS == 2 && !REPEATED_ONLY && weir_invocation() == 0) {
            if (first == 0 && tile_heads != 0 && first_of(before) != 0) {
                store_length(first_of(before) - 1, starts[0] + 1 - second_of(before));
            }
            if (first == 0 && tile == (count - 1) / TILE) {
                const WEIR_T total = weir_combine(before, aggregate);
                store_length(first_of(total) - 1, count + 1 - second_of(total));
            }
        }
        first += STARTS;
    } while (first < tile_heads);
}

void store_counts(uint count, WEIR_T total) {
    part_counts[0] = first_of(total);
}
