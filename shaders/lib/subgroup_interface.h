// Constant of subgroup.glsl; see interface.glsl.
WEIR_NUMBER(WEIR_MIN_SUBGROUP, 4)
