// Constants and bindings of column_scan.glsl; see interface.glsl.
WEIR_CONSTANT(0, uint, WORKGROUP, 256)
WEIR_CONSTANT(1, uint, SUBGROUP, 0)      // subgroup size; 0: known only to the driver
WEIR_CONSTANT(2, uint, WIDTH, 64)        // columns per strip
WEIR_CONSTANT(3, uint, ROWS, 16)         // rows per invocation and tile
WEIR_CONSTANT(4, uint, PHASE, 0)         // PHASE_*
WEIR_CONSTANT(5, uint, SCAN_OPERATOR, 0) // OPERATOR_* of monoid.glsl
WEIR_CONSTANT(6, bool, EXCLUSIVE, false)
WEIR_CONSTANT(7, uint, INITIAL, 0)              // see chunks.glsl
WEIR_CONSTANT(8, bool, IN_PLACE, false)         // the output is the input
WEIR_CONSTANT(9, bool, SHUFFLE_BARRIERS, false) // see subgroup.glsl

WEIR_BINDING(0, INPUT_BINDING)
WEIR_BINDING(1, OUTPUT_BINDING)
WEIR_BINDING(2, SPINE_BINDING)

WEIR_NUMBER(PHASE_ALONE, 0)  // scans whole columns
WEIR_NUMBER(PHASE_REDUCE, 1) // reduces each part of a column
WEIR_NUMBER(PHASE_SPINE, 2)  // scans these reductions
WEIR_NUMBER(PHASE_SCAN, 3)   // scans each part, starting with its prefix
