    // The last members of push constants: those of instrument.glsl, and those that the application's functions see.
#ifdef INSTRUMENTED
    uint fault_one_in; // 0: no faults
    uint fault_kind;
    uint fault_seed; // 0: every fault_one_in-th tile; else other tiles in each run
    uint tile_order; // TILES_* of instrument.glsl
    uint is_counted; // how many counters there are; 0: none
#endif
#ifdef VALUES
    VALUES
#endif
