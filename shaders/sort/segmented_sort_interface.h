// Constants and bindings of segmented_sort.comp, in addition to those of radix_tile_interface.h.
WEIR_CONSTANT(13, bool, KEYS_IN_PLACE, false)
WEIR_CONSTANT(14, bool, VALUES_IN_PLACE, false)
WEIR_CONSTANT(15, bool, AT_OFFSETS, false) // otherwise segments of one length
WEIR_CONSTANT(16, bool, SEGMENT_COUNT_ON_GPU, false)
WEIR_CONSTANT(17, uint, GROUP_SEGMENTS, 1) // segments per workgroup
WEIR_CONSTANT(18, bool, END_GIVEN, false)  // one more offset follows: the end of the last segment
WEIR_CONSTANT(19, bool, LOCAL_INDICES, false) // indices are relative to the segment
WEIR_CONSTANT(20, bool, LISTS_LONG, false)    // LONG_SEGMENTS only: lists the longest segments for the whole device
WEIR_CONSTANT(21, bool, BY_ROWS, false)       // the counts are the rows of a matrix and their length

WEIR_BINDING(5, OFFSETS_BINDING)
WEIR_BINDING(6, SEGMENT_COUNT_BINDING)
WEIR_BINDING(7, BETWEEN_KEYS_BINDING)
WEIR_BINDING(8, BETWEEN_VALUES_BINDING)
WEIR_BINDING(9, TOTALS_BINDING)         // LONG_SEGMENTS only
WEIR_BINDING(10, SEGMENT_TILES_BINDING) // LONG_SEGMENTS only
