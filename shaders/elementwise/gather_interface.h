// Constants and bindings of gather.comp, in addition to those of elementwise_interface.h.
WEIR_CONSTANT(3, bool, SCATTERS, false)
WEIR_CONSTANT(4, bool, BOUND_ON_GPU, false)

WEIR_BINDING(1, BOUND_BINDING)
WEIR_BINDING(2, INPUT_BINDING)
WEIR_BINDING(3, INDICES_BINDING)
WEIR_BINDING(4, OUTPUT_BINDING)
