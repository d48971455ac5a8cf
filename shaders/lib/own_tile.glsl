#ifndef WEIR_OWN_TILE_GLSL
#define WEIR_OWN_TILE_GLSL

#include "look_back.glsl"

// How a workgroup of a single-pass kernel comes by its tile, and by the epoch of the run. `alone`: it is the only one, has nothing to tell
// and leaves the tile states as they are.
//
// A ticket must come before the first load. Where workgroups start in the order of their numbers, that order will do: should one not, what
// a tile misses, it computes. The ticket is then for the epoch alone.

// Collective. `ticket` is drawn, or 0.
uint take_tile(bool alone, out uint ticket) {
    uint tile = weir_workgroup_index();
    ticket = 0;
    if (!IN_DISPATCH_ORDER && !alone) {
        if (invocation() == 0) {
            taken_ticket = draw_ticket();
        }
        barrier();
        ticket = taken_ticket;
        tile = ticket_place(ticket);
    }
    return tile;
}

// Draws what has not been drawn: under way with the loads, if it is not looked at before they have come.
void draw_late_ticket(bool alone, inout uint ticket) {
    if (IN_DISPATCH_ORDER && !alone && invocation() == 0) {
        ticket = draw_ticket();
    }
}

#endif
