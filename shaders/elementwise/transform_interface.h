// Constants and bindings of transform.glsl, in addition to those of elementwise_interface.h.
WEIR_CONSTANT(3, bool, IN_PLACE, false) // the output is the input

WEIR_BINDING(1, INPUT_BINDING)
WEIR_BINDING(2, OUTPUT_BINDING)
WEIR_BINDING(3, FIRST_SEEN_BINDING) // first of the buffers that the expression reads
