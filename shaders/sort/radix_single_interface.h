// Of radix_single.comp, besides those of radix_tile_interface.h.
WEIR_CONSTANT(13, uint, KEY_BITS, 32) // with NARROW_KEYS 8 or 16
WEIR_CONSTANT(14, uint, NUMBERS, 0)   // with NARROW_KEYS: NUMBERS_* of total_order.glsl
