// Constants of tile_state.glsl; see interface.glsl.
WEIR_NUMBER(WEIR_FIRST_ENTRY, 32)    // in words; the ticket has its own cache line
WEIR_NUMBER(WEIR_ENTRY_ALIGNMENT, 8) // in words, of entries that a subgroup polls
