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

#ifndef WEIR_TILE
#define WEIR_TILE TILE
#endif
#ifndef WEIR_TILE_ORDER
#define WEIR_TILE_ORDER IN_DISPATCH_ORDER
#endif

uint weir_element_count();
WEIR_T weir_initial_prefix(); // reduction of everything before tile 0

// True if the count is on the GPU and may change while the kernel runs. One invocation then reads it for the workgroup, because all must
// take the same path to a barrier.
#ifndef WEIR_COUNT_MAY_CHANGE
#define WEIR_COUNT_MAY_CHANGE false
#endif
shared uint weir_shared_count;

// A workgroup's tile and its place in the run.
struct weir_Claim {
    uint groups; // workgroups of the run
    bool alone;  // true for the only workgroup, which publishes nothing and leaves the tile states unchanged
    uint count;  // elements
    uint tiles;  // tiles with elements
    uint tile;   // the workgroup's own tile; may be beyond `tiles`
    uint ticket;
    uint epoch; // known after weir_publish_aggregate
};

// Assigns a tile to the workgroup. Collective.
weir_Claim weir_assign_tile() {
    const uint groups = weir_workgroup_count();
    const bool alone = groups == 1;
    const bool draws = !WEIR_TILE_ORDER && !alone;
    uint count = weir_element_count();
    uint place = weir_workgroup_index();
    uint ticket = 0;
    if (draws || WEIR_COUNT_MAY_CHANGE) {
        if (draws && weir_invocation() == 0) {
            weir_shared_ticket = weir_draw_ticket();
        }
        if (WEIR_COUNT_MAY_CHANGE && weir_invocation() == 0) {
            weir_shared_count = count;
        }
        barrier();
    }
    if (draws) {
        ticket = weir_shared_ticket;
        place = weir_ticket_place(ticket);
    }
    if (WEIR_COUNT_MAY_CHANGE) {
        count = weir_shared_count;
    }
    const uint tiles = count / WEIR_TILE + uint(count % WEIR_TILE != 0);
    return weir_Claim(groups, alone, count, tiles, weir_tile_of_place(place), ticket, 0);
}

// Draws the ticket if weir_assign_tile did not. Call it right after the tile's loads, so that both are in flight together.
void weir_draw_deferred_ticket(inout weir_Claim claim) {
    const bool alone = claim.alone;
    if (WEIR_TILE_ORDER && !alone && weir_invocation() == 0) {
        claim.ticket = weir_draw_ticket();
    }
}

// Reduces the tile, publishes the aggregate and begins the look-back. `subgroup_total` is the reduction of the subgroup's part. Collective.
WEIR_T weir_publish_aggregate(inout weir_Claim claim, WEIR_T subgroup_total) {
    if (WEIR_TILE_ORDER && weir_invocation() == 0) { // otherwise set by weir_assign_tile
        weir_shared_ticket = claim.ticket;
    }
    const WEIR_T aggregate = weir_workgroup_reduce(subgroup_total);
    claim.ticket = weir_shared_ticket;
    claim.epoch = weir_ticket_epoch(claim.ticket);
    const uint tile = claim.tile, tiles = claim.tiles;
    const bool alone = claim.alone;
    if (tile < tiles && !alone) {
        weir_begin_walk(tile, claim.epoch, aggregate, weir_initial_prefix());
    }
    if (!alone) {
        weir_advance_epoch(claim.ticket, claim.groups, tiles);
    }
    return aggregate;
}

#endif
