// Part of look_back.glsl: publishes values of tiles, with the faults and counters of instrumented kernels.

#ifdef INSTRUMENTED
void weir_count_event(uint counter, uint amount) {
    if (is_counted != 0) { // a separate condition, so that reflection sees that a kernel without counters does not access them
        if (counter < is_counted) {
            atomicAdd(weir_event_counters[counter], amount, gl_ScopeDevice, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
        }
    }
}
#endif

bool weir_leads_walk();

// Counts a poll in an instrumented kernel.
void weir_count_poll(bool found) {
#ifdef INSTRUMENTED
    if (weir_leads_walk()) {
        weir_count_event(found ? WEIR_COUNT_LOOK_BACK : WEIR_COUNT_SPINS, 1);
    }
#endif
}

// Counts tiles that a walk has accumulated, in an instrumented kernel.
void weir_count_tiles(uint tiles) {
#ifdef INSTRUMENTED
    if (weir_leads_walk()) {
        weir_count_event(WEIR_COUNT_TILES, tiles);
    }
#endif
}

// Publishes a value of the tile in one of its entries, unless a fault is injected. `again`: the tile has already published in that entry.
void weir_publish(uint entry, uint tile, uint epoch, uint state, WEIR_T value, bool again) {
    uint parts = WEIR_ENTRY_PARTS;
#ifdef INSTRUMENTED
    if (weir_has_fault(fault_one_in, fault_seed, tile, epoch)) {
        if (fault_kind == WEIR_FAULT_NEVER_POST) {
            parts = 0;
        } else if (fault_kind == WEIR_FAULT_TORN_POST) {
            parts = WEIR_ENTRY_PARTS == 1 ? 0 : 1; // one part cannot be torn
        } else if (fault_kind == WEIR_FAULT_LATE_POST) {
            for (uint i = 0; i < 4096 && weir_load_word(0) != ~0u; ++i) {
            }
        }
    }
#endif
    weir_store_tile(entry, epoch, state, value, parts, again);
}
