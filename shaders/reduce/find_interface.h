// Constants of find.glsl, in addition to those of reduce_interface.h.
WEIR_CONSTANT(9, uint, NUMBERS, 0) // NUMBERS_* of total_order.glsl
WEIR_CONSTANT(10, uint, COMPARISON, 0)       // weir::Comparison of an element with the threshold, the push constants threshold_low and threshold_high
WEIR_CONSTANT(11, bool, OUT_OF_ORDER, false) // instead of the comparison: an element comes before its predecessor
WEIR_CONSTANT(12, bool, DESCENDING, false)   // greater elements come first
WEIR_CONSTANT(13, bool, WHETHER_NONE, false) // the result is 1 if no element was found, otherwise 0
#ifndef ITEM_WORDS // words per element; a macro if a predicate is compiled with the kernel
WEIR_CONSTANT(14, uint, ITEM_WORDS, 1)
#endif
