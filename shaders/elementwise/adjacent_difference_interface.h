// Constants and bindings of adjacent_difference.comp, in addition to those of elementwise_interface.h.
WEIR_CONSTANT(3, bool, FLOATS, false)

WEIR_BINDING(1, INPUT_BINDING)
WEIR_BINDING(2, OUTPUT_BINDING)
