// Constants and bindings of fill.comp, in addition to those of elementwise_interface.h.
WEIR_CONSTANT(3, uint, WRITES, 0) // WRITES_*

WEIR_BINDING(1, OUTPUT_BINDING)

WEIR_NUMBER(WRITES_ELEMENT, 0)
WEIR_NUMBER(WRITES_WORDS, 1) // sequence of one-word integers
WEIR_NUMBER(WRITES_FLOATS, 2)
WEIR_NUMBER(WRITES_PAIRS, 3) // sequence of two-word integers, low word first, or of doubles
