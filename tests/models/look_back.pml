/*
 * The look-back of shaders/lib/look_back.glsl with the walks that go backwards, those of window_walk.glsl and
 * column_walk.glsl, over the tile states of shaders/lib/tile_state.glsl: one run, in which a workgroup for each tile
 * posts its aggregate, looks back, falls back where a predecessor is late, and posts its prefix. The walk of
 * spine_walk.glsl, which goes forward, has a model of its own: spine.pml. tests/scripts/models.sh has Spin explore
 * this one exhaustively. What it shows, for every interleaving:
 *
 *   no torn or wrong value   what a load returns as ready is exactly the tile's aggregate or its inclusive prefix
 *   one value per tile       a fallback computes the bits that the owner posts; at most one insert of a word is the
 *                            first; a word that was posted never goes back to an earlier state
 *   each value once          a look-back takes in every tile before its own exactly once, in order
 *   no wait without end      each round of a workgroup's loop, be it a poll that brings nothing or a fallback, brings
 *                            it nearer to its end, whatever the others do; so the number of its own steps is bounded.
 *                            It never blocks (its waits are polls). And there is no cycle in the graph of all states,
 *                            so no infinite execution, fair or unfair
 *
 * What is abstracted, and why that is sound:
 *
 *   Loads      are as weak as can be: a load of a word may return any value that the word has held in this run, or
 *              held before it, however often newer ones were read. That covers loads and stores of different words
 *              that become visible in any order, and differently to different workgroups, and more than any memory
 *              model allows. So it does not matter when in a poll a word is loaded: what an earlier load can see, a
 *              later one can see too, and all the loads of a poll are one step here.
 *   Stores     leave their owner when it posts and reach memory at any later time, for each word in the order of
 *              posting, independently for different words, or never. An owner that is suspended for ever, one that
 *              never posts, and one that posts only its first word (the injected faults) are executions in which
 *              stores are never done.
 *   Inserts    compare and swap the value of the word that is last in its modification order. The value that they
 *              compare with is as old as may be; it can still be loaded in the moment of the exchange, so both are
 *              one step.
 *   Values     are names. The protocol never looks at a payload, so a value may be told by what it is of: the run,
 *              the aggregate or the prefix, and in what order it was computed. The two words of an entry carry one
 *              name each: a torn value has two. How a prefix is bracketed depends on where its look-back found what,
 *              so it is one of two at will. A value of more than two words can only be torn if two of its words
 *              disagree.
 *   Epochs     A run begins with whatever earlier runs may have left: each word with nothing, an aggregate or a
 *              prefix. That these are of another epoch than the run's is what epoch.pml shows. With OLD_PREFIXES
 *              defined all words begin with a prefix, which leaves room for one more tile.
 *   Tickets    Each tile has one owner, which may not have posted anything yet, or not even have started: that is all
 *              that others may conclude, be tiles taken by ticket or by workgroup number. An owner that starts late is
 *              one whose steps come late. A workgroup that is alone tells nobody anything and is left out.
 *   In place   With IN_PLACE defined an owner stores its prefix for sure when its walk has ended, and then overwrites its tile.
 *              What others compute of it from then on may be wrong. They see its old contents or the new ones; who has
 *              seen new ones also sees the prefix, which was stored before, as both sides have a barrier between. That the owner
 *              posts its aggregate as others insert it makes no difference here: what they read is read before they insert.
 *   Workgroups are one process: barriers keep together what is collective. A subgroup polls WINDOW tiles at once.
 *              Columns are chains of their own: they share no words, and of those that wait the one with the farthest
 *              to go moves.
 *   Last tile  Nobody reads what it posts, so that is left out.
 *   Segments   With HEAD defined that tile holds the head of a segment. Its aggregate counts as a prefix, for its owner and
 *              for whoever computes it in its place.
 *
 * Define one of these to break the protocol, and see it noticed:
 *
 *   ONE_STATE      only the first word of an entry tells the state
 *   ANY_EPOCH      words of other epochs count as well
 *   NO_FALLBACK    a late predecessor is polled for ever
 *   READ_AGAIN     after a fallback the entry is polled again, instead of taking in what was computed
 *   PLAIN_INSERT   a fallback stores its words without comparing
 *   OTHER_ORDER    a fallback computes the aggregate in another order of operations than the owner
 *   NO_SETTLING    in place: a tile is overwritten though its owner's prefix may never be stored
 *   EARLY_WRITE    in place: a tile is overwritten when the stores of its prefix are still under way
 *   NO_BARRIER     in place: who has seen a tile overwritten may still miss its prefix
 *   TAKE_COMPUTED  in place: what was computed is taken in, though the owner may have posted
 */

#ifndef TILES
#define TILES 3
#endif
#ifndef WINDOW
#define WINDOW 2 /* predecessors that are polled at once */
#endif
#ifndef MAX_SPINS
#define MAX_SPINS 1
#endif

/* A word: state, epoch (1: this run's) and half of a payload. */
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

/* A payload is the name of a value: of this run (1) or an earlier one; aggregate or prefix; its order of operations. */
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
#endif

#define ENTRY_WORDS 2
#define WORDS ((TILES - 1) * ENTRY_WORDS)
#define DEPTH 6

/* All values that a word has held, in the order of modification. The last one is what it holds. */
typedef History {
    byte values[DEPTH];
    byte count;
}
History memory[WORDS];

/* What each tile's owner has posted so far. */
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

/* For the assertions. */
bit inserted[WORDS];
bool wrong, inserted_twice, stepped_back, out_of_order, no_nearer;

/* How many rounds a workgroup may still need. */
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

/* Anything that the word has ever held. */
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

/* Whether the word's stores are still to be done. */
#ifdef IN_PLACE
#define NOT_SETTLED WORD_STATE(memory[word].values[memory[word].count - 1]) != PREFIX
#else
#define NOT_SETTLED true
#endif

/* The way of one word's stores to memory. Each may be late without bound: no workgroup may wait for this process. */
proctype store_word(byte word) {
    byte tile = word / ENTRY_WORDS;
    if
#ifdef HEAD
    :: tile > 0 && !HAS_HEAD(tile) ->
#else
    :: tile > 0 -> /* the first tile posts a prefix at once */
#endif
end_aggregate:
        atomic { posted[tile] >= AGGREGATE && NOT_SETTLED -> modify(word, WORD(AGGREGATE, 1, OWN_AGGREGATE)) }
    :: else
    fi;
end_prefix:
    atomic { posted[tile] == PREFIX && NOT_SETTLED -> modify(word, WORD(PREFIX, 1, OWN_PREFIX(tile))) }
}

/* weir_load_tile: `state` is what an entry's words agree on. */
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

/* Takes the value of a tile in, before what was taken in so far: that must begin with the next tile. */
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

/* Lanes, from 1 on, are in the order of tiles, the last one is nearest. What comes before tile 0 is ready. */
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

/* What was computed of the tile before `next`. */
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

/* What a fallback inserts. */
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

/* weir_insert_tile, one word of it: a word that was seen to be ready is left alone. */
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

/* One workgroup. Its memory accesses are a step each, those of a poll one step together. */
proctype workgroup(byte tile) {
    byte next = tile;  /* what the tiles from this one on add to is known; 0 ends the walk */
    byte begin = tile; /* the first tile of those that were taken in */
    byte spins;
    /* 0 between steps: */
    byte i, first_word, second_word, states[WINDOW], lane, last_prefix, last_missing, first_taken, rounds_left;
    bit is_ready;
#ifdef IN_PLACE
    bit has_seen_new; /* of the tile that is computed in its owner's place: what overwrites it */
#endif

    if
#ifdef HEAD
    :: HAS_HEAD(tile) -> posted[tile] = PREFIX
    :: tile > 0 && tile < TILES - 1 && !HAS_HEAD(tile) -> posted[tile] = AGGREGATE
#else
    :: tile > 0 && tile < TILES - 1 -> posted[tile] = AGGREGATE
#endif
    :: else
    fi;
    do
    :: next == 0 -> break
    :: next > 0 && spins < MAX_SPINS -> atomic { poll() }
    :: next > 0 && spins == MAX_SPINS ->
        /* The late tile's aggregate is computed from the input alone, and inserted in any order of words. */
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
#ifdef HEAD
            :: tile > 0 && !HAS_HEAD(tile) -> order_of_prefix[tile] = 1
#else
            :: tile > 0 -> order_of_prefix[tile] = 1
#endif
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
