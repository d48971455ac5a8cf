// Constants and bindings of scan.glsl, also for reductions by key; see interface.glsl.
WEIR_CONSTANT(0, uint, WORKGROUP, 256)
WEIR_CONSTANT(1, uint, SUBGROUP, 0)   // subgroup size; 0: known only to the driver
WEIR_CONSTANT(2, uint, CHUNKS, 4)     // chunks per invocation; see chunks.glsl
WEIR_CONSTANT(3, uint, MAX_SPINS, 64) // maximum number of consecutive polls without a result before a fallback
WEIR_CONSTANT(4, bool, COUNT_ON_GPU, false)
WEIR_CONSTANT(5, uint, SCAN_OPERATOR, 0) // OPERATOR_* of monoid.glsl
WEIR_CONSTANT(6, bool, EXCLUSIVE, false)
WEIR_CONSTANT(7, bool, BOTH, false) // `other` gets the other kind of scan
WEIR_CONSTANT(8, bool, HAS_TOTAL, false)
WEIR_CONSTANT(9, uint, INITIAL, 0)                // see chunks.glsl
WEIR_CONSTANT(10, bool, WHOLE_VECTORS, true)      // see chunks.glsl
WEIR_CONSTANT(11, bool, IN_PLACE, false)          // the output is the input
WEIR_CONSTANT(12, bool, SCAN_LATE, true)          // scans the tile after its prefix is known; otherwise before
WEIR_CONSTANT(13, bool, SHUFFLE_BARRIERS, false)  // see subgroup.glsl
WEIR_CONSTANT(14, bool, IN_DISPATCH_ORDER, false) // see single_pass.glsl
WEIR_CONSTANT(15, uint, SEGMENTS, 1)              // SEGMENTS_* of segments.glsl; from here on, segmented scans only
WEIR_CONSTANT(16, uint, KEY_WORDS, 1)
WEIR_CONSTANT(17, bool, SEGMENT_ENDS, false) // writes only the reduction of each segment
WEIR_CONSTANT(18, bool, SEGMENT_COUNT_ON_GPU, false)
WEIR_CONSTANT(19, bool, END_GIVEN, false) // one more offset follows: the end of the last segment

WEIR_BINDING(0, INPUT_BINDING)
WEIR_BINDING(1, OUTPUT_BINDING)
WEIR_BINDING(2, TILE_STATE_BINDING)
WEIR_BINDING(3, COUNTS_BINDING)
WEIR_BINDING(4, OTHER_BINDING)
WEIR_BINDING(4, OUTPUT_KEYS_BINDING) // reductions by key only
WEIR_BINDING(5, TOTAL_BINDING)
WEIR_BINDING(5, RANGE_ENDS_BINDING)     // segmented scans only
WEIR_BINDING(6, HEADS_BINDING)          // segmented scans only
WEIR_BINDING(7, SEGMENT_COUNTS_BINDING) // segmented scans only

// The counters of an instrumented kernel come next, then the buffers for the functions of a fused scan.
WEIR_BINDING(6, END_BINDING)
WEIR_BINDING(8, SEGMENTED_END_BINDING)

WEIR_NUMBER(CARRY_WORDS, 64)   // distance of the totals of two windows, INITIAL_CARRIED; every device can bind a buffer at each of them
WEIR_NUMBER(STAGE_WORDS, 2048) // words of workgroup memory in which a reduction by key stages heads and values
