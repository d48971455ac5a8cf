#ifndef WEIR_SLOT_SEARCH_GLSL
#define WEIR_SLOT_SEARCH_GLSL

// Search for the item of a slot. Item i has the slots from its offset to before the offset of item i + 1. The includer must define before:
//
//     uint weir_offset_of(uint item);

// Returns the last of `items` items from `first` on whose offset is not greater than the slot. Items before it with the same offset have no
// slots. Takes the same number of steps for every slot.
uint weir_item_of_slot(uint slot, uint first, uint items) {
    while (items > 1) {
        const uint below = items / 2;
        first += weir_offset_of(first + below) <= slot ? below : 0;
        items -= below;
    }
    return first;
}

#endif
