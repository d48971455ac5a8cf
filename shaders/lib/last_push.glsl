    // The last members of push constants: those of instrument.glsl, then those for the application's functions.
#ifdef INSTRUMENTED
    uint fault_one_in; // 0: no faults
    uint fault_kind;
    uint fault_seed; // 0: every fault_one_in-th tile; otherwise a different selection of tiles in each run
    uint tile_order; // TILES_* of instrument.glsl
    uint is_counted; // number of counters, or 0
#endif
#ifdef VALUES
    VALUES
#endif
