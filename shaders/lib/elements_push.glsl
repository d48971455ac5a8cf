    // Members of push constants: the number of elements and their place in the input and the output.
    uint max_count;  // number of elements; maximum if the count is on the GPU
    uint count_word; // word of the count on the GPU
    uint in_offset;  // in words
    uint in_stride;
    uint out_offset;
    uint out_stride;
