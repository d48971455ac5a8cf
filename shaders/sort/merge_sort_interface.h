// Constants and bindings of merge_sort_tiles.glsl, merge_sort_splits.glsl and merge_sort_runs.glsl; see interface.glsl.
WEIR_CONSTANT(0, uint, WORKGROUP, 256)
WEIR_CONSTANT(1, uint, ITEMS, 17) // keys per invocation; an odd number avoids bank conflicts
WEIR_CONSTANT(2, bool, COUNT_ON_GPU, false)
WEIR_CONSTANT(3, uint, VALUE_WORDS, 0)
WEIR_CONSTANT(4, bool, INDICES, false) // the input values are the indices of the keys
WEIR_CONSTANT(5, bool, KEYS_IN_PLACE, false)
WEIR_CONSTANT(6, bool, VALUES_IN_PLACE, false)
WEIR_CONSTANT(7, bool, HAS_MERGES, true) // there may be more than one tile
WEIR_CONSTANT(8, bool, SPLITS_KNOWN, false) // merge_sort_splits.glsl has found the places where tiles begin
WEIR_CONSTANT(9, uint, PROBES, 7) // number of places that one step of its searches tests

WEIR_BINDING(0, COUNTS_BINDING)
WEIR_BINDING(1, KEYS_BINDING)
WEIR_BINDING(2, VALUES_BINDING)
WEIR_BINDING(3, SORTED_KEYS_BINDING)
WEIR_BINDING(4, SORTED_VALUES_BINDING)
WEIR_BINDING(5, BETWEEN_KEYS_BINDING) // destination of the tiles before an odd number of merges
WEIR_BINDING(6, BETWEEN_VALUES_BINDING)
WEIR_BINDING(7, SPLITS_BINDING)
WEIR_BINDING(8, SEEN_BINDING) // first of the buffers that a comparator reads
