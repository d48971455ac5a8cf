// A single-pass scan by persistent workgroups: as many as run at the same time, each of which processes tiles until none is left. Its
// look-back falls back, so that no workgroup depends on the progress of another, and any number of workgroups is correct.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "survey_tile.glsl"

layout(push_constant) uniform Parameters { uint count; };

#define WEIR_COLUMNS 1
#include "look_back.glsl"

uint reduced_total;

void weir_reduce_tile(uint tile) {
    uint sum = 0;
    [[dont_unroll]] for (uint i = 0; i < ITEMS; ++i) { // the workgroup's own tile stays in its registers
        const uint at = place(tile, i);
        if (at < count) {
            sum += from[at];
        }
    }
    reduced_total = weir_workgroup_reduce(weir_subgroup_reduce(sum));
    barrier();
}

uint weir_reduced_value(uint column) {
    return reduced_total;
}

void main() {
    const uint tiles = count / TILE + uint(count % TILE != 0);
    begin_running();
    while (true) {
        if (weir_invocation() == 0) {
            weir_shared_ticket = weir_draw_ticket();
            weir_stalled_tile = 0;
        }
        barrier();
        const uint ticket = weir_shared_ticket, tile = weir_ticket_place(ticket), epoch = weir_ticket_epoch(ticket);
        // Each workgroup also draws one ticket beyond the tiles, at which it ends.
        weir_advance_epoch(ticket, tiles + weir_workgroup_count(), tiles);
        if (tile >= tiles) {
            break;
        }
        load_items(tile, count);
        const uint aggregate = weir_workgroup_reduce(weir_subgroup_reduce(sum_of_items()));
        weir_begin_walk(tile, epoch, aggregate, 0);
        const uint before = weir_preceding_subgroups();
        weir_run_look_back(tile, epoch);
        scan_items(weir_exclusive_prefix + before);
        store_items(tile, count);
        barrier();
    }
    end_running();
}
