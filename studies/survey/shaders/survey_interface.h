// Constants and bindings of survey.comp and survey_loop.comp; see shaders/lib/interface.glsl.
WEIR_CONSTANT(0, uint, WORKGROUP, 256)
WEIR_CONSTANT(1, uint, SUBGROUP, 0)    // subgroup size; 0: known only to the driver
WEIR_CONSTANT(2, uint, VECTORS, 4)     // vectors of four numbers per invocation and tile
WEIR_CONSTANT(3, bool, STRIDED, false) // numbers of an invocation are a subgroup apart; otherwise adjacent
WEIR_CONSTANT(4, bool, SHUFFLE_BARRIERS, false)
WEIR_CONSTANT(5, bool, COUNT_RUNNING, false) // see running.glsl
WEIR_CONSTANT(6, bool, REDUCES, false)       // survey.comp only: the first of its two dispatches
WEIR_CONSTANT(7, uint, MAX_SPINS, 64)        // survey_loop.comp only

WEIR_BINDING(0, FROM_BINDING)
WEIR_BINDING(1, TO_BINDING)
WEIR_BINDING(2, SPINE_BINDING)      // survey.comp only
WEIR_BINDING(2, TILE_STATE_BINDING) // survey_loop.comp only
WEIR_BINDING(3, RUNNING_BINDING)
