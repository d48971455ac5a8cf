// Constants and bindings of shuffle.comp, in addition to those of elementwise_interface.h.
WEIR_CONSTANT(3, bool, GATHERS, false) // writes elements; otherwise writes their indices

WEIR_BINDING(1, ITEMS_BINDING)
WEIR_BINDING(2, OUTPUT_BINDING)

WEIR_NUMBER(SHUFFLE_ROUNDS, 12)
