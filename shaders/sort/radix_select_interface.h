// Constants and bindings of radix_select.comp; see interface.glsl.
WEIR_CONSTANT(0, uint, WORKGROUP, 256)
WEIR_CONSTANT(1, uint, SUBGROUP, 0) // subgroup size; 0: known only to the driver
WEIR_CONSTANT(2, uint, KEY_WORDS, 1)
WEIR_CONSTANT(3, uint, NUMBERS, 0) // NUMBERS_* of total_order.glsl
WEIR_CONSTANT(4, bool, DESCENDING, false)
WEIR_CONSTANT(5, bool, COUNT_ON_GPU, false)
WEIR_CONSTANT(6, bool, WANTED_ON_GPU, false)
WEIR_CONSTANT(7, uint, COPIES, 1) // copies of the counters in workgroup memory, so that fewer subgroups share one
WEIR_CONSTANT(8, bool, WRITES_KEY, false)
WEIR_CONSTANT(9, bool, FROM_SAMPLE, false)
WEIR_CONSTANT(10, bool, FROM_CANDIDATES, false)
WEIR_CONSTANT(11, bool, ALL_ON_GPU, false)

WEIR_BINDING(0, KEYS_BINDING)
WEIR_BINDING(1, FOUND_BINDING)
WEIR_BINDING(2, LISTS_BINDING)
WEIR_BINDING(3, TOTALS_BINDING)
WEIR_BINDING(4, OUTPUT_BINDING)
WEIR_BINDING(5, COUNTS_BINDING)
WEIR_BINDING(6, WANTED_COUNT_BINDING)
WEIR_BINDING(7, ALL_COUNT_BINDING)
WEIR_BINDING(8, CHOSEN_COUNT_BINDING)

WEIR_NUMBER(WORD_DIGITS, 3) // digits per word: 11, 11 and 10 bits
WEIR_NUMBER(RADIX, 2048)
WEIR_NUMBER(FIRST_TOTAL, 32) // first word of the totals; the count of workgroups has its own cache line
WEIR_NUMBER(SAMPLE_KEYS, 16) // sampled keys per invocation
