// Of fill.comp, besides those of elementwise_interface.h.
WEIR_CONSTANT(3, uint, WRITES, 0) // WRITES_*

WEIR_BINDING(1, OUTPUT_BINDING)

WEIR_NUMBER(WRITES_ELEMENT, 0)
WEIR_NUMBER(WRITES_WORDS, 1) // a sequence of integers of one word
WEIR_NUMBER(WRITES_FLOATS, 2)
WEIR_NUMBER(WRITES_PAIRS, 3) // of integers of two words, the lower one first; or of doubles
