// Constant of radix_digit.glsl; see interface.glsl.
WEIR_NUMBER(RADIX_BITS, 8)
