// Of transform.glsl, besides those of elementwise_interface.h.
WEIR_CONSTANT(3, bool, IN_PLACE, false) // the output is the input

WEIR_BINDING(1, INPUT_BINDING)
WEIR_BINDING(2, OUTPUT_BINDING)
WEIR_BINDING(3, FIRST_SEEN_BINDING) // from here on, the buffers that the expression reads
