// Constants of scans with EXTREMA, in addition to those of scan_interface.h.
WEIR_CONSTANT(20, uint, NUMBERS, 0) // NUMBERS_* of total_order.glsl
WEIR_CONSTANT(21, bool, GREATEST, false)
WEIR_CONSTANT(22, bool, IN_SEGMENT, false) // positions count from the segment's first element
