// Of set_operation.comp, besides those of merge_interface.h.
WEIR_CONSTANT(8, uint, SET_OPERATION, 0) // SET_*
WEIR_CONSTANT(9, bool, WRITES, true)     // else keys are only counted
WEIR_CONSTANT(10, bool, ALONE, false)    // there is one tile, which writes the count

WEIR_BINDING(6, TILE_COUNTS_BINDING) // kept keys of each tile
WEIR_BINDING(7, TILE_BEGINS_BINDING) // of all tiles before
WEIR_BINDING(8, SET_COUNT_BINDING)

WEIR_NUMBER(SET_UNION, 0)
WEIR_NUMBER(SET_INTERSECTION, 1)
WEIR_NUMBER(SET_DIFFERENCE, 2)
WEIR_NUMBER(SET_SYMMETRIC_DIFFERENCE, 3)
