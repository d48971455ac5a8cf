// Constants and bindings of widen.comp and narrow.comp, in addition to those of elementwise_interface.h.
WEIR_CONSTANT(3, uint, BITS, 8)       // bits per narrow number
WEIR_CONSTANT(4, uint, NARROW, 0)     // NARROW_*
WEIR_CONSTANT(5, bool, MERGES, false) // narrow.comp only: keeps the bits of the last word behind the numbers

WEIR_BINDING(1, INPUT_BINDING)
WEIR_BINDING(2, OUTPUT_BINDING)

WEIR_NUMBER(NARROW_UNSIGNED, 0)
WEIR_NUMBER(NARROW_SIGNED, 1)
WEIR_NUMBER(NARROW_FLOATS, 2)
WEIR_NUMBER(NARROW_BFLOATS, 3)
