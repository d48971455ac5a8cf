// Constants and bindings of partition_point.glsl; see interface.glsl.
WEIR_CONSTANT(0, uint, WORKGROUP, 256)
WEIR_CONSTANT(1, bool, COUNT_ON_GPU, false)
WEIR_CONSTANT(2, uint, NUMBERS, 0)    // NUMBERS_* of total_order.glsl
WEIR_CONSTANT(3, uint, COMPARISON, 0) // weir::Comparison with the number of threshold_low and threshold_high
#ifndef ITEM_WORDS // words per element; a macro if a predicate is compiled with the kernel
WEIR_CONSTANT(4, uint, ITEM_WORDS, 1)
#endif

WEIR_BINDING(0, INPUT_BINDING)
WEIR_BINDING(1, OUTPUT_BINDING)
WEIR_BINDING(2, COUNTS_BINDING)
WEIR_BINDING(3, SEEN_BINDING) // first of the buffers that a predicate reads
