// Constants and bindings of all kernels that include elementwise.glsl; see interface.glsl. Each kernel adds its own.
WEIR_CONSTANT(0, uint, WORKGROUP, 256)
WEIR_CONSTANT(1, bool, COUNT_ON_GPU, false)
WEIR_CONSTANT(2, uint, WORDS, 1) // words per element

WEIR_BINDING(0, COUNTS_BINDING)
