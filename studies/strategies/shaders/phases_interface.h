// Constants and bindings of phases.glsl, in addition to those of scan_interface.h.
WEIR_CONSTANT(20, uint, PHASE, 0)

WEIR_BINDING(2, SPINE_BINDING)

WEIR_NUMBER(PHASE_REDUCE, 0)     // reduces each tile
WEIR_NUMBER(PHASE_SPINE, 1)      // scans the reductions of all tiles, by a single workgroup
WEIR_NUMBER(PHASE_SCAN, 2)       // scans each tile, starting with its prefix
WEIR_NUMBER(PHASE_SCAN_TILES, 3) // scans and reduces each tile separately
WEIR_NUMBER(PHASE_PROPAGATE, 4)  // combines each tile with its prefix
