#ifndef WEIR_EXCHANGE_LAYER_GLSL
#define WEIR_EXCHANGE_LAYER_GLSL

#include "weir_subgroup.glsl"

// A tile is the items of a workgroup, `ITEMS` per invocation, in one of three arrangements. The functions below return the place in the
// tile of an invocation's i-th item.

// Blocked: each invocation holds consecutive items.
uint weir_blocked(uint i, uint items) {
    return weir_invocation() * items + i;
}

// Striped: neighboring invocations hold neighboring items, in rows of WEIR_WORKGROUP items.
uint weir_striped(uint i, uint items) {
    return i * WEIR_WORKGROUP + weir_invocation();
}

// Subgroup-striped: each subgroup holds a contiguous part, striped over its lanes.
uint weir_subgroup_striped(uint i, uint items) {
    return (gl_SubgroupID * items + i) * weir_subgroup_size() + weir_lane();
}

// Moves items from one arrangement to another, or to arbitrary places, through workgroup memory:
//
//     WEIR_EXCHANGE(name, T, ITEMS)
//         void name_blocked_to_striped(inout T items[ITEMS])
//         void name_striped_to_blocked(inout T items[ITEMS])
//         void name_blocked_to_subgroup_striped(inout T items[ITEMS])
//         void name_subgroup_striped_to_blocked(inout T items[ITEMS])
//         void name_scatter_to_blocked(inout T items[ITEMS], uint places[ITEMS])
//         void name_scatter_to_striped(inout T items[ITEMS], uint places[ITEMS])
//         void name_scatter_to_subgroup_striped(inout T items[ITEMS], uint places[ITEMS])
//             Moves item i to places[i] of the tile. Items with a place beyond the tile are dropped. Items at places that receive none are
//             unspecified.
//
// Collective, with one barrier. The caller must add a barrier before the next call of the same name. Uses workgroup memory for ITEMS values
// per invocation, plus one value per 32.

#define WEIR_EXCHANGE(name, T, ITEMS)                                                                                            \
    WEIR_TILE_MEMORY(name, T, ITEMS)                                                                                             \
    WEIR_EXCHANGE_BY(name, name##_blocked_to_striped, T, ITEMS, weir_blocked, weir_striped)                                      \
    WEIR_EXCHANGE_BY(name, name##_striped_to_blocked, T, ITEMS, weir_striped, weir_blocked)                                      \
    WEIR_EXCHANGE_BY(name, name##_blocked_to_subgroup_striped, T, ITEMS, weir_blocked, weir_subgroup_striped)                    \
    WEIR_EXCHANGE_BY(name, name##_subgroup_striped_to_blocked, T, ITEMS, weir_subgroup_striped, weir_blocked)                    \
    WEIR_SCATTER_BY(name, name##_scatter_to_blocked, T, ITEMS, weir_blocked)                                                     \
    WEIR_SCATTER_BY(name, name##_scatter_to_striped, T, ITEMS, weir_striped)                                                     \
    WEIR_SCATTER_BY(name, name##_scatter_to_subgroup_striped, T, ITEMS, weir_subgroup_striped)

// Building blocks. One place is left out after every 32, so that lanes whose items are a power of two apart use different banks.

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
