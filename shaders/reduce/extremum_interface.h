// Constants and bindings of extremum.comp, in addition to those of reduce_interface.h.
WEIR_CONSTANT(9, uint, NUMBERS, 0) // NUMBERS_* of total_order.glsl
WEIR_CONSTANT(10, bool, GREATEST, false)

WEIR_BINDING(4, POSITION_BINDING)
