// Constants and bindings of search.comp, in addition to those of elementwise_interface.h.
WEIR_CONSTANT(3, uint, NUMBERS, 0) // NUMBERS_* of total_order.glsl
WEIR_CONSTANT(4, bool, SORTED_ON_GPU, false)
WEIR_CONSTANT(5, bool, UPPER, false)   // elements equal to the key count too
WEIR_CONSTANT(6, uint, ROWS, 4)        // keys per invocation
WEIR_CONSTANT(7, bool, NARROWS, false) // tests if the keys of a tile ascend

WEIR_BINDING(1, SORTED_COUNT_BINDING)
WEIR_BINDING(2, SORTED_BINDING)
WEIR_BINDING(3, KEYS_BINDING)
WEIR_BINDING(4, OUTPUT_BINDING)
