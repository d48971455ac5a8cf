// Of chunks.glsl; see interface.glsl. Values of INITIAL.
WEIR_NUMBER(INITIAL_NONE, 0)
WEIR_NUMBER(INITIAL_ALWAYS, 1)
WEIR_NUMBER(INITIAL_OF_NOTHING, 2) // only the result of no elements
