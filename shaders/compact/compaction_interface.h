// Constants and bindings of compact.glsl and runs.glsl; see interface.glsl.
WEIR_CONSTANT(0, uint, WORKGROUP, 256)
WEIR_CONSTANT(1, uint, SUBGROUP, 0)   // subgroup size; 0: known only to the driver
WEIR_CONSTANT(2, uint, ROWS, 8)       // elements per invocation, at most 32
WEIR_CONSTANT(3, uint, MAX_SPINS, 64) // maximum number of consecutive polls without a result before a fallback
WEIR_CONSTANT(4, bool, COUNT_ON_GPU, false)
#ifndef ITEM_WORDS // words per element; a macro if a predicate is compiled with the kernel
WEIR_CONSTANT(5, uint, ITEM_WORDS, 1)
#endif
WEIR_CONSTANT(6, uint, CLASSIFIER, 0)       // CLASSIFIER_* of classify.glsl
WEIR_CONSTANT(7, uint, FIRST_COMPARISON, 0) // weir::Comparison of part 0
WEIR_CONSTANT(8, uint, NUMBERS, 0)          // NUMBERS_* of total_order.glsl
WEIR_CONSTANT(9, uint, PARTS, 1)            // number of parts that are written
WEIR_CONSTANT(10, uint, VALUE_WORDS, 0)     // words per value
WEIR_CONSTANT(11, bool, WRITES_ITEMS, true)
WEIR_CONSTANT(12, bool, WRITES_INDICES, false)
WEIR_CONSTANT(13, bool, REPEATED_ONLY, false)     // omits runs of a single element
WEIR_CONSTANT(14, bool, IN_DISPATCH_ORDER, false) // see single_pass.glsl
WEIR_CONSTANT(15, bool, SHUFFLE_BARRIERS, false)  // see subgroup.glsl
WEIR_CONSTANT(16, uint, SECOND_COMPARISON, 0)
WEIR_CONSTANT(17, bool, HAS_ROOM, false) // every output has room for all elements
WEIR_CONSTANT(18, bool, DENSE, false)    // elements are contiguous and start at offset 0, in input and output
WEIR_CONSTANT(19, bool, MAPS_INDICES, false) // maps index i to word i of a buffer; one part only

WEIR_BINDING(0, INPUT_BINDING)
WEIR_BINDING(1, FLAGS_BINDING)  // compact.glsl only
WEIR_BINDING(1, VALUES_BINDING) // runs.glsl only
WEIR_BINDING(2, TILE_STATE_BINDING)
WEIR_BINDING(3, COUNTS_BINDING)
WEIR_BINDING(4, PART_COUNTS_BINDING)
WEIR_BINDING(5, FIRST_ITEMS_BINDING) // heads of runs in runs.glsl
WEIR_BINDING(6, SECOND_ITEMS_BINDING)
WEIR_BINDING(6, OUTPUT_VALUES_BINDING) // runs.glsl without lengths
WEIR_BINDING(6, LENGTHS_BINDING)       // runs.glsl with lengths
WEIR_BINDING(7, THIRD_ITEMS_BINDING)
WEIR_BINDING(8, FIRST_INDICES_BINDING)
WEIR_BINDING(9, SECOND_INDICES_BINDING)
WEIR_BINDING(9, INDEX_MAP_BINDING) // MAPS_INDICES only
WEIR_BINDING(10, THIRD_INDICES_BINDING)
WEIR_BINDING(11, INSTRUMENT_BINDING) // instrumented kernels only; the buffers for predicates follow

WEIR_NUMBER(PLACE_STRIDE, 32)  // distance of the places of two windows; every device can bind a buffer at each of them
WEIR_NUMBER(MOST_STARTS, 2048) // maximum number of run starts in workgroup memory
