// Constants and bindings of histogram.glsl; see interface.glsl.
WEIR_CONSTANT(0, uint, WORKGROUP, 256)
WEIR_CONSTANT(1, bool, COUNT_ON_GPU, false)
WEIR_CONSTANT(2, uint, CLASSIFIER, 0) // CLASSIFIER_*
WEIR_CONSTANT(3, uint, COPIES, 1)     // copies of each counter in workgroup memory; 0: the bins do not fit
WEIR_CONSTANT(4, uint, COUNTERS, 1)   // counters in workgroup memory, all copies; at least 1
WEIR_CONSTANT(5, bool, ALONE, false)  // one workgroup only, and no totals
WEIR_CONSTANT(6, uint, NUMBERS, 0)    // CLASSIFIER_EDGES only: NUMBERS_* of total_order.glsl
WEIR_CONSTANT(7, uint, CHANNELS, 1)
WEIR_CONSTANT(8, uint, ACTIVE_CHANNELS, 1) // number of channels that are counted, the first ones
WEIR_CONSTANT(9, uint, ITEM_WORDS, 1)      // words per element with several channels, otherwise 1
WEIR_CONSTANT(10, bool, ADDS, false)       // adds to the counts in the output: a later window of a large input
WEIR_CONSTANT(11, bool, WIDE, false)       // counts have 64 bits, low word first

WEIR_BINDING(0, COUNTS_BINDING)
WEIR_BINDING(1, INPUT_BINDING)
WEIR_BINDING(2, OUTPUT_BINDING)
WEIR_BINDING(3, TOTALS_BINDING)
WEIR_BINDING(4, EDGES_BINDING)
WEIR_BINDING(5, SECOND_EDGES_BINDING)
WEIR_BINDING(6, THIRD_EDGES_BINDING)
WEIR_BINDING(7, FOURTH_EDGES_BINDING)
WEIR_BINDING(4, FIRST_SEEN_BINDING) // custom bins: first of the buffers that the expression reads

WEIR_NUMBER(CLASSIFIER_INTEGERS, 0) // even bins
WEIR_NUMBER(CLASSIFIER_FLOATS, 1)   // even bins
WEIR_NUMBER(CLASSIFIER_DIGITS, 2)
WEIR_NUMBER(CLASSIFIER_BYTES, 3) // each byte of a word
WEIR_NUMBER(CLASSIFIER_EDGES, 4)
WEIR_NUMBER(CLASSIFIER_WIDE_FLOATS, 5) // even bins; the number of bins per unit is not a normal float

WEIR_NUMBER(FIRST_TOTAL, 32) // first word of the totals; the count of workgroups has its own cache line
