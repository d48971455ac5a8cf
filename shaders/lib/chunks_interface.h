// Values of INITIAL in chunks.glsl; see interface.glsl.
WEIR_NUMBER(INITIAL_NONE, 0)
WEIR_NUMBER(INITIAL_ALWAYS, 1)
WEIR_NUMBER(INITIAL_OF_NOTHING, 2) // used only for the result of zero elements
WEIR_NUMBER(INITIAL_CARRIED, 3)    // scans only: the total of the window before, in words of the total's buffer
