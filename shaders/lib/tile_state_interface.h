// Of tile_state.glsl; see interface.glsl.
WEIR_NUMBER(FIRST_ENTRY, 32)    // word; the ticket has a cache line of its own
WEIR_NUMBER(ENTRY_ALIGNMENT, 8) // words, of entries that a subgroup polls
