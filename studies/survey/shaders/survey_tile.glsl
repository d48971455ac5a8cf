// Tiles of survey.comp and survey_loop.comp, for sums of u32. The numbers of a tile are in registers. Each subgroup has a contiguous part.

#include "interface.glsl"
#include "survey_interface.h"
layout(local_size_x_id = 0) in;

#define WEIR_SHUFFLE_BARRIERS SHUFFLE_BARRIERS
#include <weir/dispatch.glsl>
#include "workgroup_scan.glsl"
#include "running.glsl"

layout(set = 0, binding = FROM_BINDING) readonly restrict buffer From { uint from[]; };
layout(set = 0, binding = FROM_BINDING) readonly restrict buffer FromVectors { uvec4 from_vectors[]; };
layout(set = 0, binding = TO_BINDING) writeonly restrict buffer To { uint to[]; };
layout(set = 0, binding = TO_BINDING) writeonly restrict buffer ToVectors { uvec4 to_vectors[]; };

const uint ITEMS = VECTORS * 4;
const uint TILE = WORKGROUP * ITEMS;

uint items[ITEMS];

// Returns the index of this invocation's i-th number.
uint place(uint tile, uint i) {
    const uint part = tile * TILE + gl_SubgroupID * weir_subgroup_size() * ITEMS;
    return part + (STRIDED ? i * weir_subgroup_size() + weir_lane() : (i / 4 * weir_subgroup_size() + weir_lane()) * 4 + i % 4);
}

// Loads the tile. Numbers beyond the end are 0.
void load_items(uint tile, uint count) {
    [[unroll]] for (uint i = 0; i < ITEMS; i += 4) {
        const uint first = place(tile, i);
        if (!STRIDED && first < (count & ~3u)) {
            const uvec4 vector = from_vectors[first / 4];
            [[unroll]] for (uint j = 0; j < 4; ++j) {
                items[i + j] = vector[j];
            }
        } else {
            [[unroll]] for (uint j = 0; j < 4; ++j) {
                const uint at = place(tile, i + j);
                items[i + j] = 0;
                if (at < count) {
                    items[i + j] = from[at];
                }
            }
        }
    }
}

uint sum_of_items() {
    uint sum = 0;
    [[unroll]] for (uint i = 0; i < ITEMS; ++i) {
        sum += items[i];
    }
    return sum;
}

// Replaces the subgroup's part of the tile by its scan, starting with `before`. Strided numbers take one subgroup scan each, vectors one
// per four numbers.
void scan_items(uint before) {
    [[unroll]] for (uint i = 0; i < ITEMS; i += STRIDED ? 1 : 4) {
        uint total;
        if (STRIDED) {
            const uint exclusive = weir_subgroup_exclusive_scan(items[i], total);
            items[i] += before + exclusive;
        } else {
            const uint sum = items[i] + items[i + 1] + items[i + 2] + items[i + 3];
            uint running = before + weir_subgroup_exclusive_scan(sum, total);
            [[unroll]] for (uint j = 0; j < 4; ++j) {
                running += items[i + j];
                items[i + j] = running;
            }
        }
        before += total;
    }
}

void store_items(uint tile, uint count) {
    [[unroll]] for (uint i = 0; i < ITEMS; i += 4) {
        const uint first = place(tile, i);
        if (!STRIDED && first < (count & ~3u)) {
            to_vectors[first / 4] = uvec4(items[i], items[i + 1], items[i + 2], items[i + 3]);
        } else {
            [[unroll]] for (uint j = 0; j < 4; ++j) {
                const uint at = place(tile, i + j);
                if (at < count) {
                    to[at] = items[i + j];
                }
            }
        }
    }
}
