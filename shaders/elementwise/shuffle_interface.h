// Of shuffle.comp, besides those of elementwise_interface.h.
WEIR_CONSTANT(3, bool, GATHERS, false) // elements; else their indices are written

WEIR_BINDING(1, ITEMS_BINDING)
WEIR_BINDING(2, OUTPUT_BINDING)

WEIR_NUMBER(SHUFFLE_ROUNDS, 12)
