// Constants and bindings of set_operation.glsl, in addition to those of merge_interface.h.
WEIR_CONSTANT(8, uint, SET_OPERATION, 0) // SET_*
WEIR_CONSTANT(9, uint, MAX_SPINS, 64)    // maximum number of consecutive polls without a result before a fallback
WEIR_CONSTANT(10, bool, IN_DISPATCH_ORDER, false) // see single_pass.glsl

WEIR_BINDING(6, TILE_STATE_BINDING)
WEIR_BINDING(7, SET_COUNT_BINDING)
WEIR_BINDING(8, INSTRUMENT_BINDING) // instrumented kernels only

WEIR_NUMBER(SET_UNION, 0)
WEIR_NUMBER(SET_INTERSECTION, 1)
WEIR_NUMBER(SET_DIFFERENCE, 2)
WEIR_NUMBER(SET_SYMMETRIC_DIFFERENCE, 3)
