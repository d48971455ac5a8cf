// Constants of tile_state.glsl; see interface.glsl.
WEIR_NUMBER(FIRST_ENTRY, 32)    // in words; the ticket has its own cache line
WEIR_NUMBER(ENTRY_ALIGNMENT, 8) // in words, of entries that a subgroup polls
