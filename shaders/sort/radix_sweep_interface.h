// Constants and bindings of radix_sweep.glsl; see interface.glsl.
WEIR_CONSTANT(0, uint, WORKGROUP, 256)
WEIR_CONSTANT(1, uint, SUBGROUP, 0) // subgroup size; 0: known only to the driver
WEIR_CONSTANT(2, uint, KEYS_PER_INVOCATION, 16)
WEIR_CONSTANT(3, uint, ROUNDS, 1) // rounds in which a tile is exchanged; fewer take more workgroup memory
WEIR_CONSTANT(4, uint, ROWS, 16)  // maximum number of subgroups
WEIR_CONSTANT(5, uint, KEY_WORDS, 1)
WEIR_CONSTANT(6, bool, READS_NUMBERS, false)  // converts numbers to integers of the same order on loads
WEIR_CONSTANT(7, bool, WRITES_NUMBERS, false) // converts these integers back to numbers on stores
WEIR_CONSTANT(8, bool, WRITES_KEYS, true)
WEIR_CONSTANT(9, uint, VALUE_WORDS, 0)
WEIR_CONSTANT(10, bool, INDICES, false) // a key's value is its index; no values are read
WEIR_CONSTANT(11, uint, MAX_SPINS, 64)  // maximum number of consecutive polls without a result before a fallback
WEIR_CONSTANT(12, uint, ORDER, 0)       // order of keys that share the digit: ORDER_*
WEIR_CONSTANT(13, uint, KEY_BITS, 32)   // NARROW_KEYS only: 8 or 16
WEIR_CONSTANT(14, uint, NUMBERS, 0)     // NARROW_KEYS only: NUMBERS_* of total_order.glsl
WEIR_CONSTANT(15, bool, SHUFFLE_BARRIERS, false) // see subgroup.glsl
WEIR_CONSTANT(16, bool, LOCAL_INDICES, false)    // IN_SEGMENTS only: indices are relative to the segment

WEIR_BINDING(0, KEYS_BINDING)
WEIR_BINDING(1, SORTED_KEYS_BINDING)
WEIR_BINDING(2, VALUES_BINDING)
WEIR_BINDING(3, SORTED_VALUES_BINDING)
WEIR_BINDING(4, PLAN_BINDING)
WEIR_BINDING(5, TILE_STATE_BINDING)
WEIR_BINDING(6, NEXT_TILE_STATE_BINDING)
#ifdef IN_SEGMENTS
WEIR_BINDING(7, SEGMENT_TILES_BINDING)
WEIR_BINDING(8, INSTRUMENT_BINDING) // instrumented kernels only
#else
WEIR_BINDING(7, INSTRUMENT_BINDING) // instrumented kernels only
WEIR_BINDING(1, BASES_BINDING)      // LARGE only
#endif

WEIR_NUMBER(ORDER_KEPT, 0)
WEIR_NUMBER(ORDER_CHECKED, 1) // keys only: checked by the digits of earlier passes, and restored
WEIR_NUMBER(ORDER_ANY, 2)
