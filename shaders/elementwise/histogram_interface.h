// Of histogram.glsl; see interface.glsl.
WEIR_CONSTANT(0, uint, WORKGROUP, 256)
WEIR_CONSTANT(1, bool, COUNT_ON_GPU, false)
WEIR_CONSTANT(2, uint, CLASSIFIER, 0) // CLASSIFIER_*
WEIR_CONSTANT(3, uint, COPIES, 1)     // of each counter in workgroup memory; 0: the bins do not fit there
WEIR_CONSTANT(4, uint, COUNTERS, 1)   // all copies together, at least 1
WEIR_CONSTANT(5, bool, ALONE, false)  // there is never more than one workgroup, and no totals
WEIR_CONSTANT(6, uint, NUMBERS, 0)    // of edges: NUMBERS_* of total_order.glsl
WEIR_CONSTANT(7, uint, CHANNELS, 1)
WEIR_CONSTANT(8, uint, ACTIVE_CHANNELS, 1) // the first ones, that are counted
WEIR_CONSTANT(9, uint, ITEM_WORDS, 1)      // of an element of several channels; otherwise 1

WEIR_BINDING(0, COUNTS_BINDING)
WEIR_BINDING(1, INPUT_BINDING)
WEIR_BINDING(2, OUTPUT_BINDING)
WEIR_BINDING(3, TOTALS_BINDING)
WEIR_BINDING(4, EDGES_BINDING)
WEIR_BINDING(5, SECOND_EDGES_BINDING)
WEIR_BINDING(6, THIRD_EDGES_BINDING)
WEIR_BINDING(7, FOURTH_EDGES_BINDING)
WEIR_BINDING(4, FIRST_SEEN_BINDING) // of custom bins: from here on, the buffers that the expression reads

WEIR_NUMBER(CLASSIFIER_INTEGERS, 0) // even bins
WEIR_NUMBER(CLASSIFIER_FLOATS, 1)   // even bins
WEIR_NUMBER(CLASSIFIER_DIGITS, 2)
WEIR_NUMBER(CLASSIFIER_BYTES, 3) // every byte of a word
WEIR_NUMBER(CLASSIFIER_EDGES, 4)
WEIR_NUMBER(CLASSIFIER_WIDE_FLOATS, 5) // even bins whose number to one is no normal float

WEIR_NUMBER(FIRST_TOTAL, 32) // word of the totals; the count of workgroups has a cache line of its own
