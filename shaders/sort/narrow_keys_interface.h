// Constants and bindings of narrow.comp and widen.comp, in addition to those of elementwise_interface.h.
WEIR_CONSTANT(3, uint, NUMBERS, 0) // NUMBERS_* of total_order.glsl
WEIR_CONSTANT(4, uint, KEY_BITS, 8)
WEIR_CONSTANT(5, bool, MERGES, false) // narrow.comp only: keeps the bits of the last word behind the keys

WEIR_BINDING(1, INPUT_BINDING)
WEIR_BINDING(2, OUTPUT_BINDING)
