// Part of scan_tile.glsl: the tile of a reduction by key. It is scanned like any other tile. Only the reduction and the key of each run are
// written, in the order of runs.
//
// The reduction of a run is the exclusive scan at the next run's head. Therefore the place of each head and the exclusive scan there are
// compacted in workgroup memory, from which stores are coalesced. The last run has no head behind it; its reduction is in the total.

layout(set = 0, binding = OUTPUT_KEYS_BINDING) writeonly buffer OutputKeys { uint out_keys[]; };

// Maximum number of heads, each with a value, held in workgroup memory at a time. With more, fewer workgroups would run on a
// multiprocessor.
const uint MOST_STAGED = STAGE_WORDS / (WEIR_T_WORDS + 1);
const uint STAGED = TILE < MOST_STAGED ? TILE : MOST_STAGED;
shared uint staged_heads[STAGED];
shared WEIR_T_VALUE staged_values[STAGED];
shared uint tile_runs[2]; // index of the first run that begins in the tile, and of the first run behind it

WEIR_T own_part; // reduction of the subgroup's part of the tile

// Replaces the subgroup's part of the tile by its exclusive scan, and sets the upper half of own_heads to the number of heads before the
// chunk. Returns the reduction of the part.
WEIR_T scan_tile() {
    own_part = weir_identity();
    [[unroll]] for (uint first = 0; first < CHUNKS; first += WEIR_SIDE_BY_SIDE) {
        WEIR_T lanes[WEIR_SIDE_BY_SIDE];
        scan_lanes(first, own_part, lanes);
        [[unroll]] for (uint j = 0; j < WEIR_SIDE_BY_SIDE; ++j) {
            const uint i = first + j;
            if (i >= CHUNKS) {
                break;
            }
            WEIR_T running = lanes[j];
            own_heads[i] = (own_heads[i] & 0xFFFF) | running.heads << 16;
            [[unroll]] for (uint e = 0; e < CHUNK; ++e) {
                const WEIR_T element = item(own_chunks[i][e], own_heads[i], e);
                own_chunks[i][e] = running.value;
                running = weir_combine(running, element);
            }
        }
    }
    return own_part;
}

void store_value(uint run, WEIR_T_VALUE value) {
    if (run < run_room) {
        store_words(run, value, false);
    }
}

void store_key(uint run, uint i) {
    if (run < run_room) {
        for (uint w = 0; w < KEY_WORDS; ++w) {
            out_keys[run * KEY_WORDS + w] = head_words[i * KEY_WORDS + w];
        }
    }
}

void store_run_count(uint runs) {
    total_words[0] = runs;
}

// Stages the heads of the subgroup's part from run `first` on, up to the capacity. `before` is the reduction of everything before the part.
void stage_heads(uint tile, uint first, WEIR_T before) {
    [[unroll]] for (uint i = 0; i < CHUNKS; ++i) {
        const uint chunk = chunk_index(tile, i) * CHUNK;
        uint run = before.heads + (own_heads[i] >> 16);
        [[unroll]] for (uint e = 0; e < CHUNK; ++e) {
            if ((own_heads[i] >> e & 1) != 0) {
                if (run - first < STAGED) {
                    staged_heads[run - first] = chunk + e;
                    WEIR_T_VALUE value = own_chunks[i][e];
                    if (run == before.heads) { // the part's first head
                        value = weir_combine(before.value, value);
                    }
                    staged_values[run - first] = value;
                }
                ++run;
            }
        }
    }
}

void store_staged(uint first, uint heads) {
    for (uint i = 0; i < heads; i += WORKGROUP) {
        const uint k = i + weir_invocation();
        if (k < heads) {
            store_key(first + k, staged_heads[k]);
            if (first + k > 0) {
                store_value(first + k - 1, staged_values[k]);
            }
        }
    }
}

void store_own_tile(uint tile, uint count, WEIR_T before) {
    if (gl_SubgroupID == 0 && weir_lane() == 0) {
        tile_runs[0] = before.heads;
    }
    if (gl_SubgroupID == weir_subgroup_count() - 1 && weir_lane() == 0) {
        const WEIR_T total = weir_combine(before, own_part);
        tile_runs[1] = total.heads;
        if (tile == (count - 1) / TILE) {
            store_value(total.heads - 1, total.value);
            store_run_count(total.heads);
        }
    }
    barrier();
    const uint past = tile_runs[1];
    for (uint first = tile_runs[0]; first < past; first += STAGED) {
        stage_heads(tile, first, before);
        barrier();
        store_staged(first, min(past - first, STAGED));
        barrier();
    }
}
