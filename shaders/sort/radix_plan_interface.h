// The plan of a radix sort, which the histogram writes: how many keys each pass moves, then a digit of each pass that
// many keys have (or RADIX), then where each digit of each pass starts.
// A pass whose digit is the same for all keys has nothing to sort. As passes write to two buffers in turns, two such passes in
// succession would leave everything where it is: they are skipped, and move none.
WEIR_NUMBER(MAX_PASSES, 8)
WEIR_NUMBER(PASS_WORDS, 2) // of each of them, before the starts
