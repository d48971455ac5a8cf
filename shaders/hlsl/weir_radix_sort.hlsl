// Use weir_radix_sort.glsl, or the primitive radix_sort before or after the pass.
#error The radix sort of a tile is not available in HLSL because HLSL has no barrier of a subgroup
