#version 460
#extension GL_GOOGLE_include_directive : require

// Counts the digits of each long segment for all passes of a radix sort, and prepares the passes: writes the start of each digit of each
// segment and clears the tile states. A workgroup counts one tile. The last one of a segment finds the starts.

#include "interface.glsl"
#include "segment_histogram_interface.h"
layout(local_size_x_id = 0) in;

layout(push_constant) uniform Push {
    uint max_count;
    uint count_word;
    uint first_bit;
    uint end_bit;
    uint flip_low;
    uint flip_high;
    uint tile_keys;     // keys per tile of the passes
    uint max_tiles;     // number of tiles that fit the list
    uint segment_size;  // keys per segment; not LISTED
    uint segment_tiles; // tiles per segment; not LISTED
};

#include <weir/dispatch.glsl>
#include "radix_counters.glsl"
#include "radix_plan_interface.h"
#include "tile_state_interface.h"
#include "buffer_barrier.glsl"

layout(set = 0, binding = KEYS_BINDING) readonly buffer Keys { uint in_keys[]; };
layout(set = 0, binding = TOTALS_BINDING) buffer Totals { uint totals[]; }; // all 0 at first, except those of the list
layout(set = 0, binding = PLAN_BINDING) writeonly buffer Plan { uint starts[]; };
layout(set = 0, binding = TILE_STATE_BINDING) writeonly buffer TileStates { uint tile_states[]; };
layout(set = 0, binding = COUNTS_BINDING) readonly buffer Counts { uint counts[]; };
layout(set = 0, binding = SEGMENT_TILES_BINDING) buffer SegmentTiles {
    uint list_tiles;
    uint unused[TILE_LIST_WORDS - 1];
    uvec4 list[];
};

const uint LOADS = 4; // keys loaded at a time
const uint TABLE_WORDS = RADIX + 1;

shared uvec4 segment; // first key, number of keys, first tile, number of the segment
shared uint tiles;

uint first_total() {
    return FIRST_SEGMENT + segment.w * (FIRST_TOTAL + COUNTERS) + FIRST_TOTAL;
}

uint table_of(uint pass) {
    return (segment.w * PASSES + pass) * TABLE_WORDS;
}

uint take_total(uint counter) {
    return atomicExchange(totals[first_total() + counter], 0, gl_ScopeDevice, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
}

void store_start(uint counter, uint start) {
    starts[table_of(counter / RADIX) + 1 + counter % RADIX] = start;
}

// Finds the segment of a tile. Called by one invocation.
void find_segment(uint tile) {
    if (LISTED) {
        tiles = min(totals[LISTED_TILES], max_tiles);
        segment = tile < tiles ? list[tile] : uvec4(0);
    } else {
        const uint count = COUNT_ON_GPU ? min(counts[count_word], max_count) : max_count;
        tiles = (count / segment_size + uint(count % segment_size != 0)) * segment_tiles;
        segment = uvec4(0);
        if (tile < tiles) {
            const uint number = tile / segment_tiles, first = number * segment_size;
            segment = uvec4(first, min(segment_size, count - first), number * segment_tiles, number);
            list[tile] = segment;
        }
    }
    if (tile == 0) {
        list_tiles = tiles;
    }
}

void count_tile(uint begin, uint end) {
    for (uint i = begin; i < end; i += LOADS * WORKGROUP) {
        uvec2 loaded[LOADS];
        [[unroll]] for (uint j = 0; j < LOADS; ++j) {
            const uint at = i + j * WORKGROUP + weir_invocation();
            if (at < end) {
                loaded[j] = uvec2(in_keys[at * KEY_WORDS], in_keys[at * KEY_WORDS + KEY_WORDS - 1]);
            }
        }
        [[unroll]] for (uint j = 0; j < LOADS; ++j) {
            if (i + j * WORKGROUP + weir_invocation() < end) {
                count_key(loaded[j]);
            }
        }
    }
}

void main() {
    const uint tile = weir_workgroup_index();
    if (weir_invocation() == 0) {
        find_segment(tile);
    }
    clear_counters();
    if (tile == 0 && weir_invocation() < WEIR_FIRST_ENTRY) {
        tile_states[weir_invocation()] = 0;
    }
    if (tile >= tiles) {
        return;
    }
    for (uint i = weir_invocation(); i < RADIX; i += WORKGROUP) {
        tile_states[WEIR_FIRST_ENTRY + tile * RADIX + i] = 0;
    }
    const uint begin = (tile - segment.z) * tile_keys;
    if (begin >= segment.y) {
        return;
    }
    count_tile(segment.x + begin, segment.x + min(begin + tile_keys, segment.y));
    barrier();
    for (uint i = 0; i < COUNTERS; i += WORKGROUP) {
        const uint counter = i + weir_invocation(), sum = sum_copies(counter);
        if (sum > 0) {
            atomicAdd(totals[first_total() + counter], sum, gl_ScopeDevice, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
        }
    }

    // Makes the additions of a workgroup visible to the workgroup that sees the last tile counted.
    device_buffer_barrier();
    const uint counted = first_total() - FIRST_TOTAL;
    if (weir_invocation() == 0) {
        last_group = atomicAdd(totals[counted], 1, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease) ==
                     (segment.y - 1) / tile_keys;
    }
    device_buffer_barrier();
    if (!last_group) {
        return;
    }
    start_digits(segment.y);
    if (weir_invocation() == 0) {
        atomicStore(totals[counted], 0u, gl_ScopeDevice, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
        for (uint pass = 0; pass < PASSES; ++pass) {
            starts[table_of(pass)] = common_digit_of(pass);
        }
    }
}
