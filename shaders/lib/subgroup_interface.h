// Of subgroup.glsl; see interface.glsl.
WEIR_NUMBER(MIN_SUBGROUP, 4)
