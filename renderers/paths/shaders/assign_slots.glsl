#ifndef WEIR_PATHS_ASSIGN_SLOTS_GLSL
#define WEIR_PATHS_ASSIGN_SLOTS_GLSL

// Assigns slots to the items of a kernel with one item per invocation, in a single pass. Define SLOTS_BINDING before:
// the first of three bindings.

layout(std430, set = 0, binding = SLOTS_BINDING + 1) writeonly buffer AssignedSlots {
    uint assigned_slots[];
};
layout(std430, set = 0, binding = SLOTS_BINDING + 2) writeonly buffer SlotsNeeded {
    uint slots_needed;
};

// Returns the number of slots of an item, and writes the item's other results if `is_own`. A workgroup that waits too
// long for another one calls it for that one's items, with `is_own` false. It must not read what the kernel writes.
uint slots_of_item(uint item, bool is_own);

uint saturating_sum(uint a, uint b) { // no buffer can have 2^32 - 1 slots
    const uint sum = a + b;
    return sum < a ? ~0u : sum;
}

#define WEIR_TILE_STATES SLOTS_BINDING
#define WEIR_TILE_T uint
#define WEIR_TILE_WORDS 1
#define WEIR_TILE_COMBINE saturating_sum
#define WEIR_TILE_IDENTITY 0u
#define WEIR_TILE_REDUCE slots_in_tile
#define WEIR_TILE_EXACT
#include <weir/weir_look_back.glsl>

#include "slots.glsl"

uint item_count, own_tile, own_slots;

uint item_in(uint tile) {
    return tile * gl_WorkGroupSize.x + weir_invocation();
}

uint slots_in_tile(uint tile) {
    const uint item = item_in(tile), slots = item < item_count ? slots_of_item(item, tile == own_tile) : 0;
    own_slots = tile == own_tile ? slots : own_slots;
    return slots;
}

// Assigns slots to `count` items. All invocations must call it.
void assign_slots(uint count) {
    item_count = count;
    own_tile = weir_claim_tile(count / gl_WorkGroupSize.x + uint(count % gl_WorkGroupSize.x != 0));
    const uint item = item_in(own_tile), first = weir_scan_tile(), end = saturating_sum(first, own_slots);
    const uint first_block = 1 + capacity, blocks = assigned_slots.length() - first_block;
    if (item < item_count) {
        assigned_slots[1 + item] = first;
        uint block = first / slot_block + uint(first % slot_block != 0);
        for (; block < blocks && block * slot_block < end; ++block) {
            assigned_slots[first_block + block] = item;
        }
    }
    if (weir_invocation() == 0 && own_tile == (max(item_count, 1) - 1) / gl_WorkGroupSize.x) {
        const uint all = saturating_sum(weir_tile_prefix(), weir_tile_total()), past = (all - 1) / slot_block + 1;
        slots_needed = all;
        assigned_slots[0] = all;
        if (all != 0 && past < blocks) {
            assigned_slots[first_block + past] = item_count - 1;
        }
    }
}

#endif
