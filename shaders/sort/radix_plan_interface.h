// The plan of a radix sort, written by the histogram: the number of keys that each pass moves, a common digit of each
// pass (or RADIX), and the start of each digit of each pass. A pass has nothing to sort if its digit is the same in all
// keys. Passes write to two buffers alternately, so two consecutive passes of this kind would leave all keys in place.
// They are skipped and move 0 keys.
WEIR_NUMBER(MAX_PASSES, 8)
WEIR_NUMBER(PASS_WORDS, 2) // words per pass before the starts

// Sorts of long segments. The list of tiles has an entry for each tile: the first key of its segment, the number of
// keys, the first tile and the number of the segment. Tiles with 0 keys are skipped. The totals begin with the numbers
// of tiles and segments that segmented_sort.comp has listed. The plan has a table for each pass of each segment: a
// common digit or RADIX, then the start of each digit.
WEIR_NUMBER(TILE_LIST_WORDS, 4) // words of the list before the entries: the number of tiles
WEIR_NUMBER(TILE_ENTRY_WORDS, 4)
WEIR_NUMBER(LISTED_TILES, 0) // words of the totals
WEIR_NUMBER(LISTED_SEGMENTS, 1)
WEIR_NUMBER(FIRST_SEGMENT, 32)

// The table of bases of a sort in windows: the number of keys, then for each pass two tables of the places at which the keys of each digit
// begin. All have 64 bits.
WEIR_NUMBER(FIRST_BASE, 1)
