// Constants and bindings of segmented_top_k.comp; see interface.glsl.
WEIR_CONSTANT(0, uint, WORKGROUP, 256)
WEIR_CONSTANT(1, uint, SUBGROUP, 0) // subgroup size; 0: known only to the driver
WEIR_CONSTANT(2, uint, KEY_WORDS, 1)
WEIR_CONSTANT(3, uint, NUMBERS, 0) // NUMBERS_* of total_order.glsl
WEIR_CONSTANT(4, bool, DESCENDING, false)
WEIR_CONSTANT(5, bool, COUNT_ON_GPU, false)
WEIR_CONSTANT(6, bool, AT_OFFSETS, false)
WEIR_CONSTANT(7, bool, SEGMENT_COUNT_ON_GPU, false)
WEIR_CONSTANT(8, bool, INDICES, false)
WEIR_CONSTANT(9, bool, WRITES_TOTAL, false)
WEIR_CONSTANT(10, uint, DIGIT_BITS, 11) // the last digit of a word has the remaining bits
WEIR_CONSTANT(11, uint, PARTS, 1) // parts per segment, each with its own selection
WEIR_CONSTANT(12, bool, INDICES_GIVEN, false) // reads indices from a buffer; otherwise uses the keys' places
WEIR_CONSTANT(13, bool, END_GIVEN, false)     // one more offset follows: the end of the last segment
WEIR_CONSTANT(14, bool, BY_ROWS, false)       // the counts are the rows of a matrix and their length
WEIR_CONSTANT(15, bool, WANTED_ON_GPU, false)
WEIR_CONSTANT(16, bool, LOCAL_INDICES, false) // places count from the start of the segment
WEIR_CONSTANT(17, bool, BY_SUBGROUPS, false) // a team is a subgroup; needs SUBGROUP and one part
WEIR_CONSTANT(18, uint, HELD_KEYS, 1)        // with BY_SUBGROUPS: keys per lane; segments have at most SUBGROUP times as many
WEIR_CONSTANT(19, uint, SORTED_KEYS, 0)      // maximum number of keys to take if they are sorted; otherwise 0
WEIR_CONSTANT(20, bool, LISTS, false)        // lists the first keys of long parts in workgroup memory
WEIR_CONSTANT(21, bool, SHUFFLE_BARRIERS, false)

WEIR_BINDING(0, KEYS_BINDING)
WEIR_BINDING(1, CHOSEN_KEYS_BINDING)
WEIR_BINDING(2, CHOSEN_INDICES_BINDING)
WEIR_BINDING(3, TOTAL_BINDING)
WEIR_BINDING(4, COUNTS_BINDING)
WEIR_BINDING(5, OFFSETS_BINDING)
WEIR_BINDING(6, SEGMENT_COUNT_BINDING)
WEIR_BINDING(7, GIVEN_INDICES_BINDING)
WEIR_BINDING(8, WANTED_COUNT_BINDING)

WEIR_NUMBER(LOADS, 4)       // number of loads of an invocation in flight at the same time
WEIR_NUMBER(LISTED_KEYS, 4) // per invocation: keys of the sample, and maximum number of listed keys
