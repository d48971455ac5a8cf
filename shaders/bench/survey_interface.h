// Of survey.comp and survey_loop.comp; see shaders/lib/interface.glsl.
WEIR_CONSTANT(0, uint, WORKGROUP, 256)
WEIR_CONSTANT(1, uint, SUBGROUP, 0)          // lanes of a subgroup; 0: only the driver knows
WEIR_CONSTANT(2, uint, VECTORS, 4)           // of four numbers each, that an invocation has of a tile
WEIR_CONSTANT(3, bool, STRIDED, false)       // an invocation's numbers are a subgroup apart; else neighbours, in vectors
WEIR_CONSTANT(4, bool, SHUFFLE_BARRIERS, false)
WEIR_CONSTANT(5, bool, COUNT_RUNNING, false) // see running.glsl
WEIR_CONSTANT(6, bool, REDUCES, false)       // of survey.comp: the first of its two dispatches
WEIR_CONSTANT(7, uint, MAX_SPINS, 64)        // of survey_loop.comp

WEIR_BINDING(0, FROM_BINDING)
WEIR_BINDING(1, TO_BINDING)
WEIR_BINDING(2, SPINE_BINDING)      // of survey.comp
WEIR_BINDING(2, TILE_STATE_BINDING) // of survey_loop.comp
WEIR_BINDING(3, RUNNING_BINDING)
