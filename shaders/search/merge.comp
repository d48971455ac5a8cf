#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

// Merges two sorted arrays along their merge path. The places where the path enters and leaves a tile of the output determine the part of
// each array that the tile merges. merge_splits.comp finds them, or this kernel does, by binary search along a diagonal. The parts of
// invocations within the tile are found in the same way.

#include "merge_path.glsl"

layout(set = 0, binding = SPLITS_BINDING) readonly buffer Splits { uint splits[]; };
layout(set = 0, binding = OUTPUT_BINDING) writeonly buffer Output { uint out_words[]; };
layout(set = 0, binding = FIRST_VALUES_BINDING) readonly buffer FirstValues { uint first_values[]; };
layout(set = 0, binding = SECOND_VALUES_BINDING) readonly buffer SecondValues { uint second_values[]; };
layout(set = 0, binding = OUTPUT_VALUES_BINDING) writeonly buffer OutputValues { uint out_values[]; };
layout(set = 0, binding = OUTPUT_COUNT_BINDING) writeonly buffer OutputCount { uint out_count[]; };

// The tile's keys, those of the first array before those of the second; later the merged keys; later their original places.
shared uint tile_words[TILE * WORDS];
shared uint ends[2]; // start and end of the first array's part

uvec2 tile_key(uint i) {
    return uvec2(WORDS == 2 ? tile_words[i * WORDS] : 0, tile_words[i * WORDS + WORDS - 1]);
}

void put_key(uint i, uvec2 key) {
    if (WORDS == 2) {
        tile_words[i * WORDS] = key.x;
    }
    tile_words[i * WORDS + WORDS - 1] = key.y;
}

// Returns the split of the tile's keys, like split().
uint split_tile(uint diagonal, uint firsts, uint seconds) {
    uint low = diagonal > seconds ? diagonal - seconds : 0, high = min(diagonal, firsts);
    while (low < high) {
        const uint middle = low + (high - low) / 2;
        if (precedes(tile_key(firsts + diagonal - 1 - middle), tile_key(middle))) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

void main() {
    const uvec2 counts = agree(FIRST_ON_GPU || SECOND_ON_GPU, uvec2(first_count(), second_count()));
    const uint firsts = counts.x, seconds = counts.y, count = firsts + seconds;
    const uint tile = weir_workgroup_index(), me = gl_LocalInvocationIndex;
    if (tile == 0 && me == 0) {
        out_count[0] = count;
    }
    if (tile >= count / TILE + uint(count % TILE != 0)) {
        return;
    }
    const uint begin = tile * TILE, size = min(TILE, count - begin);
    if (!SPLITS_KNOWN) {
        if (me < 2) {
            ends[me] = split(begin + me * size, firsts, seconds);
        }
        barrier();
    }
    const uint first_begin = SPLITS_KNOWN ? splits[tile] : ends[0];
    // Reads existing keys only, even if the arrays are not sorted.
    const uint first_end = max(SPLITS_KNOWN ? splits[tile + 1] : ends[1], first_begin);
    const uint tile_firsts = min(first_end - first_begin, size), last_second = max(seconds, 1) - 1;
    const uint second_begin = begin - first_begin, tile_seconds = size - tile_firsts;
    uvec2 loaded[ITEMS]; // registers, so that all loads are in flight together
    [[unroll]] for (uint row = 0; row < ITEMS; ++row) {
        const uint i = row * WORKGROUP + me;
        if (i < size) {
            loaded[row] = i < tile_firsts ? first_key(first_begin + i) : second_key(min(second_begin + i - tile_firsts, last_second));
        }
    }
    [[unroll]] for (uint row = 0; row < ITEMS; ++row) {
        const uint i = row * WORKGROUP + me;
        if (i < size) {
            put_key(i, loaded[row]);
        }
    }
    barrier();

    // This invocation merges from a and b on. Places beyond the end of an array are clamped, and the keys there are ignored.
    const uint own = min(me * ITEMS, size), last = size - 1;
    uint a = split_tile(own, tile_firsts, tile_seconds), b = tile_firsts + own - a;
    uvec2 a_key = tile_key(min(a, last)), b_key = tile_key(min(b, last));
    uvec2 merged[ITEMS];
    uint sources[ITEMS];
    [[unroll]] for (uint i = 0; i < ITEMS; ++i) {
        const bool takes_second = a == tile_firsts || b < size && precedes(b_key, a_key);
        merged[i] = takes_second ? b_key : a_key;
        sources[i] = takes_second ? b : a;
        a += uint(!takes_second);
        b += uint(takes_second);
        const uvec2 next = tile_key(min(takes_second ? b : a, last));
        a_key = takes_second ? a_key : next;
        b_key = takes_second ? next : b_key;
    }
    barrier();
    [[unroll]] for (uint i = 0; i < ITEMS; ++i) {
        if (own + i < size) {
            put_key(own + i, merged[i]);
        }
    }
    barrier();
    [[unroll]] for (uint row = 0; row < ITEMS; ++row) {
        const uint i = row * WORKGROUP + me;
        if (i < size) {
            const uvec2 words = number_of(tile_key(i));
            if (WORDS == 2) {
                out_words[(begin + i) * WORDS] = words.x;
            }
            out_words[(begin + i) * WORDS + WORDS - 1] = words.y;
        }
    }
    if (VALUE_WORDS > 0) {
        barrier();
        [[unroll]] for (uint i = 0; i < ITEMS; ++i) {
            if (own + i < size) {
                tile_words[own + i] = sources[i];
            }
        }
        barrier();
        for (uint w = 0; w < VALUE_WORDS; ++w) {
            uint values[ITEMS];
            [[unroll]] for (uint row = 0; row < ITEMS; ++row) {
                const uint i = row * WORKGROUP + me;
                if (i < size) {
                    const uint source = tile_words[i];
                    values[row] = source < tile_firsts
                                      ? first_values[(first_begin + source) * VALUE_WORDS + w]
                                      : second_values[min(second_begin + source - tile_firsts, last_second) * VALUE_WORDS + w];
                }
            }
            [[unroll]] for (uint row = 0; row < ITEMS; ++row) {
                const uint i = row * WORKGROUP + me;
                if (i < size) {
                    out_values[(begin + i) * VALUE_WORDS + w] = values[row];
                }
            }
        }
    }
}
