// Constants of radix_single.comp, in addition to those of radix_tile_interface.h.
WEIR_CONSTANT(13, uint, KEY_BITS, 32) // NARROW_KEYS only: 8 or 16
WEIR_CONSTANT(14, uint, NUMBERS, 0)   // NARROW_KEYS only: NUMBERS_* of total_order.glsl
