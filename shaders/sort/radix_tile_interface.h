// Constants and bindings of radix_single.comp and segmented_sort.comp, which use radix_tile.glsl; see interface.glsl.
WEIR_CONSTANT(0, uint, WORKGROUP, 256)
WEIR_CONSTANT(1, uint, SUBGROUP, 0) // subgroup size; 0: known only to the driver
WEIR_CONSTANT(2, uint, KEYS_PER_INVOCATION, 16)
WEIR_CONSTANT(3, uint, ROUNDS, 1) // rounds in which a tile is exchanged; fewer take more workgroup memory
WEIR_CONSTANT(4, uint, ROWS, 16)  // maximum number of subgroups
WEIR_CONSTANT(5, uint, KEY_WORDS, 1)
WEIR_CONSTANT(6, bool, FLOAT_KEYS, false)
WEIR_CONSTANT(7, bool, WRITES_KEYS, true)
WEIR_CONSTANT(8, uint, VALUE_WORDS, 0)
WEIR_CONSTANT(9, bool, INDICES, false) // a key's value is its index; no values are read
WEIR_CONSTANT(10, bool, COUNT_ON_GPU, false)
WEIR_CONSTANT(11, uint, RANKS, 0) // RANKS_*
WEIR_CONSTANT(12, bool, SHUFFLE_BARRIERS, false) // see subgroup.glsl; the kernels define those from 13 on

WEIR_BINDING(0, KEYS_BINDING)
WEIR_BINDING(1, SORTED_KEYS_BINDING)
WEIR_BINDING(2, VALUES_BINDING)
WEIR_BINDING(3, SORTED_VALUES_BINDING)
WEIR_BINDING(4, COUNTS_BINDING)

WEIR_NUMBER(RANKS_VOTED, 0)
WEIR_NUMBER(RANKS_CHECKED, 1)  // by atomics, see radix_tile.glsl
WEIR_NUMBER(RANKS_MIRRORED, 2) // RANKS_CHECKED with a wrong order, for tests
WEIR_NUMBER(RANKS_ANY, 3)      // by atomics, in any order
