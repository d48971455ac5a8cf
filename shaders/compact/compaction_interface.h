// Of compact.glsl and runs.glsl; see interface.glsl.
WEIR_CONSTANT(0, uint, WORKGROUP, 256)
WEIR_CONSTANT(1, uint, SUBGROUP, 0)   // lanes of a subgroup; 0: only the driver knows
WEIR_CONSTANT(2, uint, ROWS, 8)       // elements of an invocation, at most 32
WEIR_CONSTANT(3, uint, MAX_SPINS, 64) // polls in a row that may find nothing, before a fallback
WEIR_CONSTANT(4, bool, COUNT_ON_GPU, false)
#ifndef ITEM_WORDS // of an element. Where a predicate is compiled with the kernel, a macro
WEIR_CONSTANT(5, uint, ITEM_WORDS, 1)
#endif
WEIR_CONSTANT(6, uint, CLASSIFIER, 0)       // CLASSIFIER_* of classify.glsl
WEIR_CONSTANT(7, uint, FIRST_COMPARISON, 0) // weir::Comparison of part 0
WEIR_CONSTANT(8, uint, NUMBERS, 0)          // NUMBERS_* of total_order.glsl
WEIR_CONSTANT(9, uint, PARTS, 1)            // that are written
WEIR_CONSTANT(10, uint, VALUE_WORDS, 0)     // of the value of an element
WEIR_CONSTANT(11, bool, WRITES_ITEMS, true)
WEIR_CONSTANT(12, bool, WRITES_INDICES, false)
WEIR_CONSTANT(13, bool, REPEATED_ONLY, false)     // runs of a single element are left out
WEIR_CONSTANT(14, bool, IN_DISPATCH_ORDER, false) // see single_pass.glsl
WEIR_CONSTANT(15, bool, SHUFFLE_BARRIERS, false)  // see subgroup.glsl
WEIR_CONSTANT(16, uint, SECOND_COMPARISON, 0)
WEIR_CONSTANT(17, bool, HAS_ROOM, false) // every output, for all elements
WEIR_CONSTANT(18, bool, DENSE, false)    // elements follow each other from offset 0 on, in input and output
WEIR_CONSTANT(19, bool, MAPS_INDICES, false) // the index of element i is word i of a buffer; of one part

WEIR_BINDING(0, INPUT_BINDING)
WEIR_BINDING(1, FLAGS_BINDING)  // of compact.glsl
WEIR_BINDING(1, VALUES_BINDING) // of runs.glsl
WEIR_BINDING(2, TILE_STATE_BINDING)
WEIR_BINDING(3, COUNTS_BINDING)
WEIR_BINDING(4, PART_COUNTS_BINDING)
WEIR_BINDING(5, FIRST_ITEMS_BINDING) // of runs, their heads
WEIR_BINDING(6, SECOND_ITEMS_BINDING)
WEIR_BINDING(6, OUTPUT_VALUES_BINDING) // of runs.glsl without lengths
WEIR_BINDING(6, LENGTHS_BINDING)       // of runs.glsl
WEIR_BINDING(7, THIRD_ITEMS_BINDING)
WEIR_BINDING(8, FIRST_INDICES_BINDING)
WEIR_BINDING(9, SECOND_INDICES_BINDING)
WEIR_BINDING(9, INDEX_MAP_BINDING) // of MAPS_INDICES
WEIR_BINDING(10, THIRD_INDICES_BINDING)
WEIR_BINDING(11, INSTRUMENT_BINDING) // of an instrumented kernel; what predicates see follows

WEIR_NUMBER(MOST_STARTS, 2048) // of runs, that workgroup memory holds at a time
