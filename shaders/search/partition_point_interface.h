// Constants and bindings of kernels that include partition_point.glsl; see interface.glsl.
WEIR_CONSTANT(0, uint, WORKGROUP, 256)
WEIR_CONSTANT(1, bool, COUNT_ON_GPU, false)
WEIR_CONSTANT(2, uint, NUMBERS, 0)    // NUMBERS_* of total_order.glsl
WEIR_CONSTANT(3, uint, COMPARISON, 0) // weir::Comparison of an element with the threshold, the push constants threshold_low and threshold_high
#ifndef ITEM_WORDS // words per element; kernels with a custom predicate define it as a macro
WEIR_CONSTANT(4, uint, ITEM_WORDS, 1)
#endif

WEIR_BINDING(0, INPUT_BINDING)
WEIR_BINDING(1, OUTPUT_BINDING)
WEIR_BINDING(2, COUNTS_BINDING)
WEIR_BINDING(3, SEEN_BINDING) // custom predicates: first of the buffers that the predicate reads
