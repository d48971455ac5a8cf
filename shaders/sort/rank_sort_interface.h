// Constants and bindings of rank_sort.comp; see interface.glsl.
WEIR_CONSTANT(0, uint, WORKGROUP, 256)
WEIR_CONSTANT(1, uint, GROUP_KEYS, 32) // keys per workgroup; divides WORKGROUP
WEIR_CONSTANT(2, uint, KEY_WORDS, 1)
WEIR_CONSTANT(3, uint, NUMBERS, 0)   // NUMBERS_* of total_order.glsl
WEIR_CONSTANT(4, uint, KEY_BITS, 32) // NARROW_KEYS only: 8 or 16
WEIR_CONSTANT(5, bool, WRITES_KEYS, true)
WEIR_CONSTANT(6, uint, VALUE_WORDS, 0)
WEIR_CONSTANT(7, bool, INDICES, false)       // a key's value is its index; no values are read
WEIR_CONSTANT(8, bool, LOCAL_INDICES, false) // indices are relative to the segment
WEIR_CONSTANT(9, uint, SEGMENTS, 0)          // RANK_*
WEIR_CONSTANT(10, bool, END_GIVEN, false)    // one more offset follows: the end of the last segment
WEIR_CONSTANT(11, bool, COUNT_ON_GPU, false)
WEIR_CONSTANT(12, bool, SEGMENT_COUNT_ON_GPU, false)

WEIR_BINDING(0, KEYS_BINDING)
WEIR_BINDING(1, SORTED_KEYS_BINDING)
WEIR_BINDING(2, VALUES_BINDING)
WEIR_BINDING(3, SORTED_VALUES_BINDING)
WEIR_BINDING(4, COUNTS_BINDING)
WEIR_BINDING(5, OFFSETS_BINDING)
WEIR_BINDING(6, SEGMENT_COUNT_BINDING)

WEIR_NUMBER(RANK_ALL, 0)        // all keys are one segment
WEIR_NUMBER(RANK_OF_LENGTH, 1)  // segments of one length
WEIR_NUMBER(RANK_ROWS, 2)       // the counts are the rows of a matrix and their length
WEIR_NUMBER(RANK_AT_OFFSETS, 3) // GROUP_KEYS must be 32
