// Constants and bindings of reduce.glsl; see interface.glsl.
WEIR_CONSTANT(0, uint, WORKGROUP, 256)
WEIR_CONSTANT(1, uint, SUBGROUP, 0) // subgroup size; 0: known only to the driver
WEIR_CONSTANT(2, uint, CHUNKS, 4)   // chunks that an invocation loads at a time; see chunks.glsl
WEIR_CONSTANT(3, bool, COUNT_ON_GPU, false)
WEIR_CONSTANT(4, uint, REDUCE_OPERATOR, 0)       // OPERATOR_* of monoid.glsl
WEIR_CONSTANT(5, uint, INITIAL, 0)               // see chunks.glsl
WEIR_CONSTANT(6, bool, WHOLE_VECTORS, true)      // see chunks.glsl
WEIR_CONSTANT(7, bool, SHUFFLE_BARRIERS, false)  // see subgroup.glsl
WEIR_CONSTANT(8, bool, ALONE, false)             // one workgroup only, and no parts

WEIR_BINDING(0, INPUT_BINDING)
WEIR_BINDING(1, OUTPUT_BINDING)
WEIR_BINDING(2, COUNTS_BINDING)
WEIR_BINDING(3, PARTS_BINDING)
WEIR_BINDING(4, MORE_BINDING) // first binding of including kernels and of the application's buffers

WEIR_NUMBER(FIRST_PART, 32) // first word of the parts; the count of workgroups has its own cache line
