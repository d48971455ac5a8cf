// Moves the keys and values of a tile of radix_sweep.glsl to their destinations. Rounds exchange them through workgroup memory. Neighboring
// invocations then store the keys of one digit, which go to consecutive places.

// A round exchanges through `pool` the words that are sorted to the places [first, end) of the tile. With ORDER_CHECKED the pool also holds
// the next word, up to `filled`, or padding if there is none. The other words of keys are in a second plane.
uint first, end, filled;
const uint PLANE = ROUND_KEYS + uint(ORDER == ORDER_CHECKED);

// Returns the flip of low words, in passes over the high word: all bits for descending order, otherwise 0.
uint low_flip() {
    return 0 - (flip & 1);
}

void begin_round(uint round, uint tile_keys) {
    first = round * ROUND_KEYS;
    end = clamp(tile_keys, first, first + ROUND_KEYS);
    filled = end + uint(ORDER == ORDER_CHECKED && end < tile_keys);
    barrier(); // the content of the pool is no longer needed
    if (ORDER == ORDER_CHECKED && weir_invocation() == 0 && end == filled) {
        pool[end - first] = padding;
        if (KEY_WORDS == 2) {
            pool[PLANE + end - first] = ~low_flip();
        }
    }
}

// Puts words of this invocation's keys at the places given by their ranks, if these are in the round.
#define FILL_POOL(words, plane)                                                                                                  \
    [[unroll]] for (uint i = 0; i < KEYS_PER_INVOCATION; ++i) {                                                                  \
        if (key_rank(i) - first < filled - first) {                                                                              \
            pool[plane + key_rank(i) - first] = words[i];                                                                        \
        }                                                                                                                        \
    }

// Returns the place of this invocation's i-th word of the round, striped over the workgroup.
uint round_place(uint i) {
    return first + i * WORKGROUP + weir_invocation();
}

// Returns the digits of a word up to that of this pass, as a number of the same order.
uint sorted_digits(uint word) {
    return (word ^ flip) << 32 - shift - bits;
}

// Returns true if the key at `at` in the pool, whose digit is in `word`, is greater than the next one in the digits up to that of this
// pass.
bool is_out_of_order(uint at, uint word) {
    const uint own = sorted_digits(word), next = sorted_digits(pool[at + 1]);
    if (KEY_WORDS == 2 && digit_word == 1 && own == next) {
        return (pool[PLANE + at] ^ low_flip()) > (pool[PLANE + at + 1] ^ low_flip());
    }
    return own > next;
}

// Digits of the places that this invocation handles in all rounds, four per word. The values, which move after the keys in the same
// registers, need them.
const uint DIGIT_WORDS = (ROUND_ITEMS + 3) / 4;
uint place_digits[VALUE_WORDS > 0 ? ROUNDS * DIGIT_WORDS : 1];

void move_keys(uint tile_keys) {
    bool is_misplaced = false;
    for (uint round = 0; round < ROUNDS; ++round) {
        begin_round(round, tile_keys);
        FILL_POOL(keys, 0)
        if (KEY_WORDS == 2) {
            FILL_POOL(other_words, PLANE)
        }
        barrier();
        const Digit digit = pass_digit;
        uint digits[DIGIT_WORDS];
        [[unroll]] for (uint i = 0; i < ROUND_ITEMS; ++i) {
            const uint at = round_place(i);
            if (i % 4 == 0) {
                digits[i / 4] = 0;
            }
            if (at < end) {
                const uint key = pool[at - first];
                const uint value = digit_of(key, digit);
                const PLACE target = place_of(value, at);
                digits[i / 4] |= value << i % 4 * 8;
                if (ORDER == ORDER_CHECKED) {
                    is_misplaced = is_misplaced || is_out_of_order(at - first, key);
                }
                if (KEY_WORDS == 2) {
                    const uint other = pool[PLANE + at - first];
                    store_pair(target, digit_word == 0 ? uvec2(key, other) : uvec2(other, key));
                } else {
                    store_key(target, key);
                }
            }
        }
        if (VALUE_WORDS > 0) {
            [[unroll]] for (uint i = 0; i < ROUNDS; ++i) { // makes the index a constant
                if (i == round) {
                    [[unroll]] for (uint j = 0; j < DIGIT_WORDS; ++j) {
                        place_digits[i * DIGIT_WORDS + j] = digits[j];
                    }
                }
            }
        }
    }
    if (ORDER == ORDER_CHECKED && is_misplaced) {
        atomicOr(misplaced, 1, gl_ScopeWorkgroup, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
    }
}

// Stores the tile again, ranked by ballots. Loops that load each key again take no registers from tiles that do not need this.
void move_by_ballots(uint tile, uint tile_keys) {
    const uint begin = tile_begin(tile);
    const Digit digit = pass_digit;
    clear_rows();
    barrier();
    [[dont_unroll]] for (uint i = 0; i < KEYS_PER_INVOCATION; ++i) {
        if (key_position(i) < tile_keys) {
            count_value(digit_of(load_key(begin + key_position(i), digit_word), digit));
        }
    }
    barrier();
    start_rows();
    barrier();
    [[dont_unroll]] for (uint i = 0; i < KEYS_PER_INVOCATION; ++i) {
        // Lanes diverge in a store, and must reconverge for a ballot.
        controlBarrier(gl_ScopeSubgroup, gl_ScopeSubgroup, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
        const bool is_real = key_position(i) < tile_keys;
        const uint at = begin + min(key_position(i), tile_keys - 1);
        const uvec2 key = KEY_WORDS == 2 ? load_pair(at) : uvec2(load_key(at, 0), 0);
        const uint value = digit_of(!is_real ? padding : KEY_WORDS == 2 ? key[digit_word] : key.x, digit);
        const uint rank = min(rank_value(value), tile_keys - 1); // clamps only if keys change during the sort
        const PLACE target = place_of(value, rank);
        if (is_real && KEY_WORDS == 2) {
            store_pair(target, key);
        } else if (is_real) {
            store_key(target, key.x);
        }
    }
}

// Loads values into the registers of the keys.
void load_values(uint tile, uint tile_keys, uint word) {
    if (tile_keys == TILE) {
        [[unroll]] for (uint i = 0; i < KEYS_PER_INVOCATION; ++i) {
            keys[i] = load_value(tile_begin(tile) + key_position(i), word);
        }
    } else {
        [[unroll]] for (uint i = 0; i < KEYS_PER_INVOCATION; ++i) {
            if (key_position(i) < tile_keys) {
                keys[i] = load_value(tile_begin(tile) + key_position(i), word);
            }
        }
    }
}

// Moves the values. Call it after move_keys.
void move_values(uint tile, uint tile_keys) {
    for (uint word = 0; word < VALUE_WORDS; ++word) {
        load_values(tile, tile_keys, word);
        for (uint round = 0; round < ROUNDS; ++round) {
            begin_round(round, tile_keys);
            FILL_POOL(keys, 0)
            barrier();
            uint digits[DIGIT_WORDS];
            [[unroll]] for (uint i = 0; i < ROUNDS; ++i) {
                if (i == round) {
                    [[unroll]] for (uint j = 0; j < DIGIT_WORDS; ++j) {
                        digits[j] = place_digits[i * DIGIT_WORDS + j];
                    }
                }
            }
            [[unroll]] for (uint i = 0; i < ROUND_ITEMS; ++i) {
                const uint at = round_place(i);
                if (at < end) {
                    store_value(place_of(digits[i / 4] >> i % 4 * 8 & 0xFF, at), word, pool[at - first]);
                }
            }
        }
    }
}
