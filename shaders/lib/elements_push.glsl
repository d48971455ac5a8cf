    // Members of push constants: elements, and where they are in the input and the output.
    uint max_count;  // of elements; all of them unless the count is on the GPU
    uint count_word; // of the count on the GPU
    uint in_offset;  // in words
    uint in_stride;
    uint out_offset;
    uint out_stride;
