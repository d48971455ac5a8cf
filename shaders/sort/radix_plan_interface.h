// The plan of a radix sort, written by the histogram: the number of keys that each pass moves, a common digit of each
// pass (or RADIX), and the start of each digit of each pass. A pass has nothing to sort if its digit is the same in all
// keys. Passes write to two buffers alternately, so two consecutive passes of this kind would leave all keys in place.
// They are skipped and move 0 keys.
WEIR_NUMBER(MAX_PASSES, 8)
WEIR_NUMBER(PASS_WORDS, 2) // words per pass before the starts
