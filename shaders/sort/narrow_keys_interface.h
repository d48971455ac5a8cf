// Of narrow.comp and widen.comp, besides those of elementwise_interface.h.
WEIR_CONSTANT(3, uint, NUMBERS, 0) // NUMBERS_* of total_order.glsl
WEIR_CONSTANT(4, uint, KEY_BITS, 8)
WEIR_CONSTANT(5, bool, MERGES, false) // of narrow.comp: what the last word holds behind the keys is kept

WEIR_BINDING(1, INPUT_BINDING)
WEIR_BINDING(2, OUTPUT_BINDING)
