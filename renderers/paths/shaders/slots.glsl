#ifndef WEIR_PATHS_SLOTS_GLSL
#define WEIR_PATHS_SLOTS_GLSL

// Slots: an item owns consecutive slots, possibly none, in the order of items. assign_slots.glsl writes the buffer.
//
//     word 0         number of slots, including those beyond the capacity
//     then           first slot of each of `items` items
//     then           for each block of 256 slots, the item of its first slot

const uint slot_block = 256;

// Define SLOTS before, the name of the buffer's array, for a kernel with one invocation per slot.
#ifdef SLOTS
uint weir_offset_of(uint item) {
    return SLOTS[1 + item];
}

#include <weir/slot_search.glsl>

// Returns the item of a slot. Searches the items of its block only.
uint item_of_slot(uint slot) {
    const uint block = 1 + items + slot / slot_block, first = SLOTS[block];
    return weir_item_of_slot(slot, first, SLOTS[block + 1] - first + 1);
}
#endif

#endif
