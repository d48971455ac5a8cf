#version 460
#extension GL_GOOGLE_include_directive : require

// Expansion: item i has the slots from its offset to the next item's offset, and the item of each slot is found. A load-balancing search,
// as in Baxter's Modern GPU: slots, not items, are distributed over invocations, so that items may have any number of slots.
//
// A tile of slots searches for the items of its first and its last slot, and loads the offsets between them into workgroup memory. Each
// slot then searches for its item there. If these items do not fit, which only items without slots can cause, slots search in the buffer.

#include "interface.glsl"
#include "expand_interface.h"
layout(local_size_x_id = 0) in;

layout(push_constant) uniform Push {
    uint max_items;       // number of items; maximum if their count is on the GPU
    uint item_count_word; // word of the count on the GPU
    uint max_slots;       // number of slots; maximum if their count is on the GPU
    uint slot_count_word;
    uint value_offset; // in words
    uint value_stride;
    uint out_offset;
    uint out_stride;
};

layout(set = 0, binding = OFFSETS_BINDING) readonly buffer Offsets { uint offsets[]; };
layout(set = 0, binding = ITEM_COUNT_BINDING) readonly buffer ItemCounts { uint item_counts[]; };
layout(set = 0, binding = SLOT_COUNT_BINDING) readonly buffer SlotCounts { uint slot_counts[]; };
layout(set = 0, binding = SOURCES_BINDING) writeonly buffer Sources { uint sources[]; };
layout(set = 0, binding = RANKS_BINDING) writeonly buffer Ranks { uint ranks[]; };
layout(set = 0, binding = VALUES_BINDING) readonly buffer Values { uint value_words[]; };
layout(set = 0, binding = OUTPUT_BINDING) writeonly buffer Output { uint out_words[]; };

#include "agree.glsl"
#include <weir/dispatch.glsl>

const uint TILE = WORKGROUP * ROWS;

shared uint ends[2];            // items of the tile's first and last slot
shared uint tile_offsets[TILE]; // offsets from ends[0] on, if they are staged

// True if workgroup memory holds the tile's offsets, starting with that of `first_item`.
bool is_staged = false;
uint first_item = 0;

uint weir_offset_of(uint item) {
    return is_staged ? tile_offsets[item - first_item] : offsets[item];
}

#include <weir/slot_search.glsl>

void store(uint slot, uint item) {
    if (WRITES_SOURCES) {
        sources[slot] = item;
    }
    if (WRITES_RANKS) {
        ranks[slot] = slot - weir_offset_of(item);
    }
    for (uint w = 0; w < VALUE_WORDS; ++w) {
        out_words[out_offset + slot * out_stride + w] = value_words[value_offset + item * value_stride + w];
    }
}

void main() {
    const uvec2 counts = agree(ITEM_COUNT_ON_GPU || SLOT_COUNT_ON_GPU,
                               uvec2(ITEM_COUNT_ON_GPU ? min(item_counts[item_count_word], max_items) : max_items,
                                     SLOT_COUNT_ON_GPU ? min(slot_counts[slot_count_word], max_slots) : max_slots));
    const uint items = counts.x, slots = counts.y;
    const uint tile = weir_workgroup_index();
    if (items == 0 || slots == 0 || tile > (slots - 1) / TILE) {
        return;
    }
    const uint place = gl_LocalInvocationIndex;
    const uint first = tile * TILE;
    const uint count = min(slots - first, TILE);

    // Searches for both at once: odd invocations search for the item of the last slot.
    const uint end = weir_item_of_slot(first + (place % 2 == 0 ? 0 : count - 1), 0, items);
    if (place < 2) {
        ends[place] = end;
    }
    barrier();
    first_item = ends[0];
    // At least 1, even if offsets do not ascend.
    const uint tile_items = max(ends[1], first_item) - first_item + 1;
    const bool fits = tile_items <= TILE;
    if (fits) {
        for (uint i = place; i < tile_items; i += WORKGROUP) {
            tile_offsets[i] = offsets[first_item + i];
        }
    }
    barrier();
    is_staged = fits;
    for (uint slot = first + place; slot - first < count; slot += WORKGROUP) {
        store(slot, weir_item_of_slot(slot, first_item, tile_items));
    }
}
