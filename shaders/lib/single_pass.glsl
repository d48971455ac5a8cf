#ifndef WEIR_SINGLE_PASS_GLSL
#define WEIR_SINGLE_PASS_GLSL

#include "look_back.glsl"

// Steps of a single-pass kernel. Its main function claims a tile, loads it, publishes its aggregate, looks back (look_back.glsl) and
// stores. It must publish as early as possible, because other workgroups wait for the aggregate. Needs what look_back.glsl needs, and the
// constants TILE (elements per tile) and IN_DISPATCH_ORDER.
//
// With IN_DISPATCH_ORDER workgroups are expected to start in the order of their indices, and each takes the tile of its index. The order is
// not guaranteed: if a predecessor has not started, the workgroup falls back. The ticket then provides only the epoch. Without
// IN_DISPATCH_ORDER the tile is the workgroup's ticket, which must be drawn before the first load.

uint element_count();
T initial_prefix(); // reduction of everything before tile 0

// True if the count is on the GPU and may change while the kernel runs. One invocation then reads it for the workgroup, because all must
// take the same path to a barrier.
#ifndef COUNT_MAY_CHANGE
#define COUNT_MAY_CHANGE false
#endif
shared uint shared_count;

// A workgroup's tile and its place in the run.
struct Claim {
    uint groups; // workgroups of the run
    bool alone;  // true for the only workgroup, which publishes nothing and leaves the tile states unchanged
    uint count;  // elements
    uint tiles;  // tiles with elements
    uint tile;   // the workgroup's own tile; may be beyond `tiles`
    uint ticket;
    uint epoch; // known after publish_aggregate
};

// Assigns a tile to the workgroup. Collective.
Claim claim_tile() {
    const uint groups = weir_workgroup_count();
    const bool alone = groups == 1;
    const bool draws = !IN_DISPATCH_ORDER && !alone;
    uint count = element_count();
    uint place = weir_workgroup_index();
    uint ticket = 0;
    if (draws || COUNT_MAY_CHANGE) {
        if (draws && invocation() == 0) {
            shared_ticket = draw_ticket();
        }
        if (COUNT_MAY_CHANGE && invocation() == 0) {
            shared_count = count;
        }
        barrier();
    }
    if (draws) {
        ticket = shared_ticket;
        place = ticket_place(ticket);
    }
    if (COUNT_MAY_CHANGE) {
        count = shared_count;
    }
    const uint tiles = count / TILE + uint(count % TILE != 0);
    return Claim(groups, alone, count, tiles, tile_of_place(place), ticket, 0);
}

// Draws the ticket if claim_tile did not. Call it right after the tile's loads, so that both are in flight together.
void draw_deferred_ticket(inout Claim claim) {
    const bool alone = claim.alone;
    if (IN_DISPATCH_ORDER && !alone && invocation() == 0) {
        claim.ticket = draw_ticket();
    }
}

// Reduces the tile, publishes the aggregate and begins the look-back. `subgroup_total` is the reduction of the subgroup's part. Collective.
T publish_aggregate(inout Claim claim, T subgroup_total) {
    if (IN_DISPATCH_ORDER && invocation() == 0) { // otherwise set by claim_tile
        shared_ticket = claim.ticket;
    }
    const T aggregate = workgroup_reduce(subgroup_total);
    claim.ticket = shared_ticket;
    claim.epoch = ticket_epoch(claim.ticket);
    const uint tile = claim.tile, tiles = claim.tiles;
    const bool alone = claim.alone;
    if (tile < tiles && !alone) {
        begin_walk(tile, claim.epoch, aggregate, initial_prefix());
    }
    if (!alone) {
        advance_epoch(claim.ticket, claim.groups, tiles);
    }
    return aggregate;
}

#endif
