#ifndef WEIR_EXCHANGE_LAYER_GLSL
#define WEIR_EXCHANGE_LAYER_GLSL

#include "weir_subgroup.glsl"

// A tile is the items of a workgroup, `ITEMS` of each invocation, in one of three arrangements. The place in the tile of an invocation's
// i-th item:

// Neighbours.
uint weir_blocked(uint i, uint items) {
    return weir_invocation() * items + i;
}

// Invocations take turns: neighbouring invocations access neighbouring items.
uint weir_striped(uint i, uint items) {
    return i * WEIR_WORKGROUP + weir_invocation();
}

// Each subgroup has a contiguous part, in which its lanes take turns.
uint weir_subgroup_striped(uint i, uint items) {
    return (gl_SubgroupID * items + i) * weir_subgroup_size() + weir_lane();
}

// Moves items from one arrangement to another, or to any places, through workgroup memory:
//
//     WEIR_EXCHANGE(name, T, ITEMS)
//         void name_blocked_to_striped(inout T items[ITEMS])
//         void name_striped_to_blocked(inout T items[ITEMS])
//         void name_blocked_to_subgroup_striped(inout T items[ITEMS])
//         void name_subgroup_striped_to_blocked(inout T items[ITEMS])
//         void name_scatter_to_blocked(inout T items[ITEMS], uint places[ITEMS])             item i becomes the one at places[i] of the
//         void name_scatter_to_striped(inout T items[ITEMS], uint places[ITEMS])             tile; one whose place is past the tile is
//         void name_scatter_to_subgroup_striped(inout T items[ITEMS], uint places[ITEMS])    dropped. Where none goes, items are any
//
// Collective, with one barrier; another one must come before the next call of the same name. Takes ITEMS values for each invocation, and one
// more for each 32, of workgroup memory.

#define WEIR_EXCHANGE(name, T, ITEMS)                                                                                            \
    WEIR_TILE_MEMORY(name, T, ITEMS)                                                                                             \
    WEIR_EXCHANGE_BY(name, name##_blocked_to_striped, T, ITEMS, weir_blocked, weir_striped)                                      \
    WEIR_EXCHANGE_BY(name, name##_striped_to_blocked, T, ITEMS, weir_striped, weir_blocked)                                      \
    WEIR_EXCHANGE_BY(name, name##_blocked_to_subgroup_striped, T, ITEMS, weir_blocked, weir_subgroup_striped)                    \
    WEIR_EXCHANGE_BY(name, name##_subgroup_striped_to_blocked, T, ITEMS, weir_subgroup_striped, weir_blocked)                    \
    WEIR_SCATTER_BY(name, name##_scatter_to_blocked, T, ITEMS, weir_blocked)                                                     \
    WEIR_SCATTER_BY(name, name##_scatter_to_striped, T, ITEMS, weir_striped)                                                     \
    WEIR_SCATTER_BY(name, name##_scatter_to_subgroup_striped, T, ITEMS, weir_subgroup_striped)

// What it is made of. One place is left out after each 32, so that lanes whose items are a power of two apart do not meet in a bank.

uint weir_padded(uint place) {
    return place + place / 32;
}

#define WEIR_TILE_MEMORY(name, T, ITEMS)                                                                                         \
    shared T name##_memory[WEIR_WORKGROUP * ITEMS + WEIR_WORKGROUP * ITEMS / 32];                                                \
    void name##_put(uint place, T item) {                                                                                        \
        if (place < WEIR_WORKGROUP * ITEMS) {                                                                                    \
            name##_memory[weir_padded(place)] = item;                                                                            \
        }                                                                                                                        \
    }                                                                                                                            \
    T name##_at(uint place) {                                                                                                    \
        return name##_memory[weir_padded(place)];                                                                                \
    }

#define WEIR_EXCHANGE_BY(name, function, T, ITEMS, from, to)                                                                     \
    void function(inout T items[ITEMS]) {                                                                                        \
        [[unroll]] for (uint i = 0; i < ITEMS; ++i) {                                                                            \
            name##_put(from(i, ITEMS), items[i]);                                                                                \
        }                                                                                                                        \
        barrier();                                                                                                               \
        [[unroll]] for (uint i = 0; i < ITEMS; ++i) {                                                                            \
            items[i] = name##_at(to(i, ITEMS));                                                                                  \
        }                                                                                                                        \
    }

#define WEIR_SCATTER_BY(name, function, T, ITEMS, to)                                                                            \
    void function(inout T items[ITEMS], uint places[ITEMS]) {                                                                    \
        [[unroll]] for (uint i = 0; i < ITEMS; ++i) {                                                                            \
            name##_put(places[i], items[i]);                                                                                     \
        }                                                                                                                        \
        barrier();                                                                                                               \
        [[unroll]] for (uint i = 0; i < ITEMS; ++i) {                                                                            \
            items[i] = name##_at(to(i, ITEMS));                                                                                  \
        }                                                                                                                        \
    }

#endif
