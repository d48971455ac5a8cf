// Constants and bindings of segment_histogram.comp; see interface.glsl.
WEIR_CONSTANT(0, uint, WORKGROUP, 256)
WEIR_CONSTANT(1, uint, SUBGROUP, 0) // subgroup size; 0: known only to the driver
WEIR_CONSTANT(2, uint, PASSES, 4)
WEIR_CONSTANT(3, uint, LOW_PASSES, 4) // passes over the low word of a key
WEIR_CONSTANT(4, uint, COPIES, 1)     // copies of the counters in workgroup memory, so that fewer subgroups share one
WEIR_CONSTANT(5, uint, KEY_WORDS, 1)
WEIR_CONSTANT(6, bool, FLOAT_KEYS, false)
WEIR_CONSTANT(7, bool, COUNT_ON_GPU, false)
WEIR_CONSTANT(8, bool, LISTED, false) // an earlier pass has listed the tiles; otherwise segments have one length

WEIR_BINDING(0, KEYS_BINDING)
WEIR_BINDING(1, TOTALS_BINDING)
WEIR_BINDING(2, PLAN_BINDING)
WEIR_BINDING(3, TILE_STATE_BINDING)
WEIR_BINDING(4, COUNTS_BINDING)
WEIR_BINDING(5, SEGMENT_TILES_BINDING)

WEIR_NUMBER(FIRST_TOTAL, 32) // first counter of a segment; its number of counted tiles has a cache line of its own
