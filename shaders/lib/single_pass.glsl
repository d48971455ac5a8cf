#ifndef WEIR_SINGLE_PASS_GLSL
#define WEIR_SINGLE_PASS_GLSL

#include "look_back.glsl"

// The steps of a single-pass kernel: its main claims a tile, loads it, publishes its aggregate as early as possible, since others wait for
// it, looks back (look_back.glsl) and stores. Needs, besides what look_back.glsl does, the constants TILE, the elements of a tile, and
// IN_DISPATCH_ORDER: workgroups start in the order of their numbers, and take the tiles of these numbers. Elsewhere a tile's number is
// its workgroup's ticket, which must be drawn before the first load. The order is no promise: a tile whose predecessor did not start falls
// back. The ticket then only tells the epoch.

uint element_count();
T initial_prefix(); // what precedes tile 0

// Whether the count is on the GPU, where others may change it while the kernel runs: then one invocation reads it for the workgroup, as all
// have to take the same way to a barrier.
#ifndef COUNT_MAY_CHANGE
#define COUNT_MAY_CHANGE false
#endif
shared uint shared_count;

// A workgroup's place in the run.
struct Claim {
    uint groups; // workgroups of the run
    bool alone;  // the only workgroup publishes nothing, and leaves the tile states as they are
    uint count;  // elements
    uint tiles;  // that hold elements
    uint tile;   // the workgroup's own, which may be past them
    uint ticket;
    uint epoch; // known after publish_aggregate
};

// Collective.
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

// Draws the ticket if claim_tile did not need it. Right after the tile's loads, so that both are under way together.
void draw_deferred_ticket(inout Claim claim) {
    const bool alone = claim.alone;
    if (IN_DISPATCH_ORDER && !alone && invocation() == 0) {
        claim.ticket = draw_ticket();
    }
}

// Collective. Reduces the tile, publishes the aggregate, and begins to look back. `subgroup_total` is that of the subgroup's part.
T publish_aggregate(inout Claim claim, T subgroup_total) {
    if (IN_DISPATCH_ORDER && invocation() == 0) { // else it is there since claim_tile
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
