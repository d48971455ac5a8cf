// Constants and bindings of radix_bases.comp; see interface.glsl.
WEIR_CONSTANT(0, uint, WORKGROUP, 256)

WEIR_BINDING(0, PLANS_BINDING)
WEIR_BINDING(1, BASES_BINDING)
