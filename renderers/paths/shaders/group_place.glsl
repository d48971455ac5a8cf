#ifndef WEIR_PATHS_GROUP_PLACE_GLSL
#define WEIR_PATHS_GROUP_PLACE_GLSL

// Returns the place of the operation of a workgroup. The including kernel must declare `places`, and the range of the
// pass in it: `first_op` and `op_count`.
uint place_of_group(uint group) {
    uint low = first_op, high = first_op + op_count;
    while (high - low > 1) {
        const uint middle = (low + high) / 2;
        if (places[middle].first_group <= group) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

#endif
