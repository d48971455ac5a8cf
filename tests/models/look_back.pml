/*
 * Model of the look-back of shaders/lib/look_back.glsl with the walks that go backwards, window_walk.glsl and
 * column_walk.glsl, over the tile states of shaders/lib/tile_state.glsl. In one run, a workgroup for each tile posts its
 * aggregate, looks back, falls back if a predecessor is late, and posts its prefix. spine.pml models the walk of
 * spine_walk.glsl, which goes forward. tests/scripts/models.sh explores all states of this model with Spin. Properties
 * of every interleaving:
 *
 *   no torn or wrong value   if a load returns a value as ready, it is the tile's aggregate or its inclusive prefix
 *   one value per tile       a fallback computes the bits that the owner posts; at most one insert of a word succeeds;
 *                            a posted word never returns to an earlier state
 *   each value once          a look-back takes in every tile before its own exactly once, in order
 *   no endless wait          each round of a workgroup's loop, a poll or a fallback, brings it closer to its end,
 *                            independent of the other workgroups. Therefore the number of its own steps is bounded. It
 *                            never blocks, because its waits are polls. The graph of all states has no cycle, so no
 *                            execution is infinite, fair or unfair
 *
 * Abstractions, and the reasons why they are sound:
 *
 *   Loads      are as weak as possible. A load of a word may return any value that the word has held in this run, or
 *              held before it, even if newer values were read before. This covers loads and stores of different words
 *              that become visible in any order, and in different orders to different workgroups. No memory model
 *              allows more. Therefore the time of a load within a poll does not matter: a later load can see all that
 *              an earlier load can see. All loads of a poll are one step here.
 *   Stores     leave their owner when it posts, and reach memory at any later time or never. The stores of one word
 *              arrive in the order of posting. Different words are independent. Injected faults are executions in which
 *              stores never arrive: an owner is suspended forever, never posts, or posts only its first word.
 *   Inserts    compare and swap the last value in the word's modification order. The value that they compare with may
 *              be as old as possible. It can still be loaded at the time of the exchange, so both are one step.
 *   Values     are names. The protocol never looks at a payload, so a name consists of the run, the kind of value
 *              (aggregate or prefix) and the order of operations. Each of the two words of an entry carries one name. A
 *              torn value has two names. The bracketing of a prefix depends on the places where its look-back found
 *              values, so the model chooses freely between two. A value of more than two words can only be torn if two
 *              of its words disagree.
 *   Epochs     A run begins with any words of earlier runs: nothing, an aggregate or a prefix. epoch.pml shows that they
 *              have another epoch than the run. With OLD_PREFIXES defined all words begin with a prefix, so that the
 *              search can afford one more tile.
 *   Tickets    Each tile has one owner, which may not have posted or even started. Other workgroups may assume no more,
 *              for tiles by ticket and for tiles by workgroup number. An owner that starts late is one whose steps come
 *              late. A workgroup that is alone posts nothing, and the model omits it.
 *   In place   With IN_PLACE defined, an owner makes sure after its walk that its prefix is stored, and then overwrites
 *              its tile. From then on, other workgroups may compute wrong values of the tile. They see its old or its
 *              new contents. If they see new contents, they also see the prefix, because both sides have a barrier
 *              between the accesses. An owner may also insert its aggregate as other workgroups do. This makes no
 *              difference here, because other workgroups read the tile before they insert.
 *   Workgroups are one process each: barriers keep collective steps together. A subgroup polls WINDOW tiles at once.
 *              Columns are independent chains that share no words. Of the columns that wait, the one with the most tiles
 *              left moves.
 *   Last tile  No tile reads its entry, so the model omits it.
 *   Segments   With HEAD defined, tile HEAD holds the head of a segment. Its aggregate counts as a prefix, for its owner
 *              and for workgroups that compute it for the owner.
 *
 * Each of these macros breaks the protocol, and the search must find the error:
 *
 *   ONE_STATE      only the first word of an entry decides the state
 *   ANY_EPOCH      words of other epochs count as well
 *   NO_FALLBACK    a late predecessor is polled forever
 *   READ_AGAIN     after a fallback the entry is polled again, and the computed value is not taken in
 *   PLAIN_INSERT   a fallback stores its words without comparing
 *   OTHER_ORDER    a fallback computes the aggregate in another order of operations than the owner
 *   NO_SETTLING    in place: a tile is overwritten although its owner's prefix may never be stored
 *   EARLY_WRITE    in place: a tile is overwritten while the stores of its prefix are still in flight
 *   NO_BARRIER     in place: a workgroup that has seen a tile overwritten may still miss its prefix
 *   TAKE_COMPUTED  in place: a computed value is taken in, although the owner may have posted
 */

#ifndef TILES
#define TILES 3
#endif
#ifndef WINDOW
#define WINDOW 2 /* number of predecessors polled at once */
#endif
#ifndef MAX_SPINS
#define MAX_SPINS 1
#endif

/* A word consists of a state, an epoch (1 for this run) and half of a payload. */
#define NOT_READY 0
#define AGGREGATE 1
#define PREFIX 2
#define WORD(state, epoch, payload) ((state) * 16 + (epoch) * 8 + (payload))
#ifdef ANY_EPOCH
#define WORD_STATE(word) ((word) / 16)
#else
#define WORD_STATE(word) (((word) / 8) % 2 -> (word) / 16 : NOT_READY)
#endif
#define WORD_PAYLOAD(word) ((word) % 8)

/* A payload is the name of a value: run (1 for this run, 0 for an earlier one), aggregate or prefix, order of operations. */
#define VALUE(run, state, order) ((run) * 4 + ((state) - 1) * 2 + (order))
#define OWN_AGGREGATE VALUE(1, AGGREGATE, 0)
#define OWN_PREFIX(tile) VALUE(1, PREFIX, order_of_prefix[tile])
#ifdef IN_PLACE
#define LATE_AGGREGATE VALUE(1, AGGREGATE, has_seen_new)
#elif defined(OTHER_ORDER)
#define LATE_AGGREGATE VALUE(1, AGGREGATE, 1)
#else
#define LATE_AGGREGATE VALUE(1, AGGREGATE, 0)
#endif

#ifdef HEAD
#define HAS_HEAD(tile) ((tile) == HEAD)
#else
#define HAS_HEAD(tile) false
#endif

#define ENTRY_WORDS 2
#define WORDS ((TILES - 1) * ENTRY_WORDS)
#define DEPTH 6

/* All values that a word has held, in modification order. The last one is the current value. */
typedef History {
    byte values[DEPTH];
    byte count;
}
History memory[WORDS];

/* The latest state that each tile's owner has posted, or 0. */
byte posted[TILES - 1];
bit order_of_prefix[TILES - 1];

#ifdef IN_PLACE
bit overwritten[TILES - 1];
#endif
#ifdef NO_BARRIER
#define SEES_NEWEST(word) 0
#else
#define SEES_NEWEST(word) (has_seen_new && (word) / ENTRY_WORDS == next - 1)
#endif

/* State of the assertions. */
bit inserted[WORDS];
bool wrong, inserted_twice, stepped_back, out_of_order, no_nearer;

/* Upper bound on the rounds that a workgroup still needs. */
#define ROUNDS_LEFT (next * (MAX_SPINS + 1) + MAX_SPINS - spins)

inline modify(word, value) {
    assert(memory[word].count < DEPTH);
    stepped_back = WORD_STATE(value) < WORD_STATE(memory[word].values[memory[word].count - 1]);
    assert(!stepped_back);
    if
    :: value != memory[word].values[memory[word].count - 1] ->
        memory[word].values[memory[word].count] = value;
        memory[word].count++
    :: else
    fi
}

/* Loads any value that the word has held. In place, only the newest if SEES_NEWEST. */
inline load(word, value) {
#ifdef IN_PLACE
    i = (SEES_NEWEST(word) -> memory[word].count - 1 : 0);
#else
    i = 0;
#endif
    do
    :: i < memory[word].count - 1 -> i++
    :: break
    od;
    value = memory[word].values[i];
    i = 0
}

/* True if the word's stores are not done yet. */
#ifdef IN_PLACE
#define NOT_SETTLED WORD_STATE(memory[word].values[memory[word].count - 1]) != PREFIX
#else
#define NOT_SETTLED true
#endif

/* Carries the stores of one word to memory. The delay has no bound: no workgroup may wait for this process. */
proctype store_word(byte word) {
    byte tile = word / ENTRY_WORDS;
    if
    :: tile > 0 && !HAS_HEAD(tile) -> /* the first tile posts only a prefix */
end_aggregate:
        atomic { posted[tile] >= AGGREGATE && NOT_SETTLED -> modify(word, WORD(AGGREGATE, 1, OWN_AGGREGATE)) }
    :: else
    fi;
end_prefix:
    atomic { posted[tile] == PREFIX && NOT_SETTLED -> modify(word, WORD(PREFIX, 1, OWN_PREFIX(tile))) }
}

/* Models weir_load_tile. `state` is the state of both words of the entry, or NOT_READY if they disagree. */
inline load_tile(tile, state) {
    load((tile) * ENTRY_WORDS, first_word);
    load((tile) * ENTRY_WORDS + 1, second_word);
    state = WORD_STATE(first_word);
#ifndef ONE_STATE
    if
    :: WORD_STATE(second_word) != state -> state = NOT_READY
    :: else
    fi;
#endif
    wrong = (state == AGGREGATE && (WORD_PAYLOAD(first_word) != OWN_AGGREGATE ||
                                    WORD_PAYLOAD(second_word) != OWN_AGGREGATE)) ||
            (state == PREFIX && (WORD_PAYLOAD(first_word) != OWN_PREFIX(tile) ||
                                 WORD_PAYLOAD(second_word) != OWN_PREFIX(tile)));
    assert(!wrong);
    first_word = 0;
    second_word = 0
}

/* Takes in the value of a tile. The values taken in before must begin with the next tile. */
inline take_in(tile, state) {
    out_of_order = begin != (tile) + 1;
    assert(!out_of_order);
    begin = (state == PREFIX -> 0 : tile)
}

inline check_round() {
    no_nearer = ROUNDS_LEFT >= rounds_left;
    assert(!no_nearer);
    rounds_left = 0
}

/* Looks at a window of tiles. Lanes count from 1 in the order of tiles; the last is nearest. Tiles before 0 are ready. */
inline look() {
    lane = 1;
    do
    :: lane <= WINDOW ->
        if
        :: next + lane > WINDOW -> load_tile(next + lane - WINDOW - 1, states[lane - 1])
        :: else -> states[lane - 1] = PREFIX
        fi;
        if
        :: states[lane - 1] == PREFIX -> last_prefix = lane
        :: states[lane - 1] == NOT_READY -> last_missing = lane
        :: else
        fi;
        lane++
    :: else -> break
    od;
    first_taken = (last_prefix > last_missing -> last_prefix : last_missing + 1);
    lane = WINDOW;
    do
    :: lane >= first_taken ->
        if
        :: next + lane > WINDOW -> take_in(next + lane - WINDOW - 1, states[lane - 1])
        :: else /* the identity */
        fi;
        lane--
    :: else -> break
    od;
    if
    :: last_prefix > last_missing -> next = 0
    :: else -> next = next - (WINDOW - last_missing)
    fi;
    is_ready = first_taken <= WINDOW;
    lane = 0;
    do
    :: lane < WINDOW -> states[lane] = 0; lane++
    :: else -> break
    od;
    lane = 0;
    last_prefix = 0;
    last_missing = 0;
    first_taken = 0
}

inline poll() {
    rounds_left = ROUNDS_LEFT;
    look();
#ifdef NO_FALLBACK
    spins = 0;
#else
    spins = (is_ready -> 0 : spins + 1);
#endif
    is_ready = 0;
    check_round()
}

/* Takes in the value that this workgroup computed for the tile before `next`. */
inline take_computed() {
#ifdef IN_PLACE
    wrong = has_seen_new;
    assert(!wrong);
#endif
#ifdef HEAD
    if
    :: HAS_HEAD(next - 1) -> take_in(next - 1, PREFIX); next = 0
    :: else -> take_in(next - 1, AGGREGATE); next--
    fi
#else
    take_in(next - 1, AGGREGATE);
    next--
#endif
}

/* Returns in `word` the value that a fallback inserts. */
inline late_word(tile, word) {
#ifdef HEAD
    if
    :: HAS_HEAD(tile) -> word = WORD(PREFIX, 1, OWN_PREFIX(tile))
    :: else -> word = WORD(AGGREGATE, 1, LATE_AGGREGATE)
    fi
#else
    word = WORD(AGGREGATE, 1, LATE_AGGREGATE)
#endif
}

/* Models one word of weir_insert_tile. It does not change a word that it has loaded as ready. */
inline insert_word(word) {
    load(word, first_word);
    late_word((word) / ENTRY_WORDS, second_word);
    if
    :: WORD_STATE(first_word) == NOT_READY ->
#ifdef PLAIN_INSERT
        modify(word, second_word)
#else
        if
        :: first_word == memory[word].values[memory[word].count - 1] ->
            inserted_twice = inserted[word];
            assert(!inserted_twice);
            inserted[word] = 1;
            modify(word, second_word)
        :: else
        fi
#endif
    :: else
    fi;
    first_word = 0;
    second_word = 0
}

/* One workgroup. Each memory access is a step. The accesses of a poll are one step together. */
proctype workgroup(byte tile) {
    byte next = tile;  /* the tiles before this one are not taken in yet; 0 ends the walk */
    byte begin = tile; /* the first of the tiles that were taken in */
    byte spins;
    /* These are 0 between steps. */
    byte i, first_word, second_word, states[WINDOW], lane, last_prefix, last_missing, first_taken, rounds_left;
    bit is_ready;
#ifdef IN_PLACE
    bit has_seen_new; /* has read new contents of the tile that it computes for the owner */
#endif

    if
#ifdef HEAD
    :: HAS_HEAD(tile) -> posted[tile] = PREFIX
#endif
    :: tile > 0 && tile < TILES - 1 && !HAS_HEAD(tile) -> posted[tile] = AGGREGATE
    :: else
    fi;
    do
    :: next == 0 -> break
    :: next > 0 && spins < MAX_SPINS -> atomic { poll() }
    :: next > 0 && spins == MAX_SPINS ->
        /* Computes the late tile's aggregate from the input only, and inserts its words in any order. */
#ifdef IN_PLACE
        if
        :: true
        :: overwritten[next - 1] -> has_seen_new = 1
        fi;
#endif
        if
        :: atomic { insert_word((next - 1) * ENTRY_WORDS) };
           atomic { insert_word((next - 1) * ENTRY_WORDS + 1) }
        :: atomic { insert_word((next - 1) * ENTRY_WORDS + 1) };
           atomic { insert_word((next - 1) * ENTRY_WORDS) }
        fi;
        atomic {
            rounds_left = ROUNDS_LEFT;
#if defined(IN_PLACE) && !defined(TAKE_COMPUTED)
            look();
            if
            :: !is_ready -> take_computed()
            :: else
            fi;
            is_ready = 0;
#elif !defined(READ_AGAIN)
            take_computed();
#endif
#ifdef IN_PLACE
            has_seen_new = 0;
#endif
            spins = 0;
            check_round()
        }
    od;
    atomic {
        out_of_order = begin != 0;
        assert(!out_of_order);
        if
        :: tile < TILES - 1 ->
            if
            :: order_of_prefix[tile] = 0
            :: tile > 0 && !HAS_HEAD(tile) -> order_of_prefix[tile] = 1
            fi;
            posted[tile] = PREFIX
        :: else
        fi
    };
#ifdef IN_PLACE
    if
    :: tile < TILES - 1 ->
#ifdef EARLY_WRITE
        overwritten[tile] = 1;
#endif
#ifndef NO_SETTLING
        atomic { modify(tile * ENTRY_WORDS, WORD(PREFIX, 1, OWN_PREFIX(tile))) };
        atomic { modify(tile * ENTRY_WORDS + 1, WORD(PREFIX, 1, OWN_PREFIX(tile))) };
#endif
        overwritten[tile] = 1
    :: else
    fi
#endif
}

init {
    byte i;
    atomic {
        do
        :: i < WORDS ->
            if
#ifndef OLD_PREFIXES
            :: memory[i].values[0] = 0
            :: memory[i].values[0] = WORD(AGGREGATE, 0, VALUE(0, AGGREGATE, 0))
#endif
            :: memory[i].values[0] = WORD(PREFIX, 0, VALUE(0, PREFIX, 0))
            fi;
            memory[i].count = 1;
            run store_word(i);
            i++
        :: else -> break
        od;
        i = 0;
        do
        :: i < TILES -> run workgroup(i); i++
        :: else -> break
        od;
        i = 0
    }
}
