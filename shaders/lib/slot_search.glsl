#ifndef WEIR_SLOT_SEARCH_GLSL
#define WEIR_SLOT_SEARCH_GLSL

// The item of a slot, where item i has the slots from its offset up to the offset of item i + 1. The includer defines before:
//
//     uint offset_of(uint item);

// Among `items` items from the first one on, the last one whose offset is not past the slot: items before it with the same offset have no
// slots. Takes the same number of steps for every slot.
uint item_of(uint slot, uint first, uint items) {
    while (items > 1) {
        const uint below = items / 2;
        first += offset_of(first + below) <= slot ? below : 0;
        items -= below;
    }
    return first;
}

#endif
