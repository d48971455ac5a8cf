// Constants and bindings of window_counts.comp; see interface.glsl.
WEIR_CONSTANT(0, uint, WORKGROUP, 64)
WEIR_CONSTANT(1, bool, COUNT_ON_GPU, false)

WEIR_BINDING(0, COUNTS_BINDING)
WEIR_BINDING(1, WINDOWS_BINDING)
