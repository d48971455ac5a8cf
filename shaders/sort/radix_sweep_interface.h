// Of radix_sweep.glsl; see interface.glsl.
WEIR_CONSTANT(0, uint, WORKGROUP, 256)
WEIR_CONSTANT(1, uint, SUBGROUP, 0) // lanes of a subgroup; 0: only the driver knows
WEIR_CONSTANT(2, uint, KEYS_PER_INVOCATION, 16)
WEIR_CONSTANT(3, uint, ROUNDS, 1) // in which a tile is exchanged: fewer take more workgroup memory
WEIR_CONSTANT(4, uint, ROWS, 16)  // subgroups at most
WEIR_CONSTANT(5, uint, KEY_WORDS, 1)
WEIR_CONSTANT(6, bool, READS_NUMBERS, false)  // and turns them into integers of the same order
WEIR_CONSTANT(7, bool, WRITES_NUMBERS, false) // and turns integers back
WEIR_CONSTANT(8, bool, WRITES_KEYS, true)
WEIR_CONSTANT(9, uint, VALUE_WORDS, 0)
WEIR_CONSTANT(10, bool, INDICES, false) // a key's value is its index; no values are read
WEIR_CONSTANT(11, uint, MAX_SPINS, 64)  // polls in a row that may find nothing, before a fallback
WEIR_CONSTANT(12, uint, ORDER, 0)       // of keys that share the digit: ORDER_*
WEIR_CONSTANT(13, uint, KEY_BITS, 32)   // with NARROW_KEYS 8 or 16
WEIR_CONSTANT(14, uint, NUMBERS, 0)     // with NARROW_KEYS: NUMBERS_* of total_order.glsl
WEIR_CONSTANT(15, bool, SHUFFLE_BARRIERS, false) // see subgroup.glsl

WEIR_BINDING(0, KEYS_BINDING)
WEIR_BINDING(1, SORTED_KEYS_BINDING)
WEIR_BINDING(2, VALUES_BINDING)
WEIR_BINDING(3, SORTED_VALUES_BINDING)
WEIR_BINDING(4, PLAN_BINDING)
WEIR_BINDING(5, TILE_STATE_BINDING)
WEIR_BINDING(6, NEXT_TILE_STATE_BINDING)
WEIR_BINDING(7, INSTRUMENT_BINDING) // of an instrumented kernel

WEIR_NUMBER(ORDER_KEPT, 0)
WEIR_NUMBER(ORDER_CHECKED, 1) // by the digits that keys alone were sorted by before, and restored
WEIR_NUMBER(ORDER_ANY, 2)
