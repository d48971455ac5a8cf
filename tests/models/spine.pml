/*
 * The look-back of shaders/lib/look_back.glsl with the walk of shaders/lib/spine_walk.glsl, over the tile states of
 * shaders/lib/tile_state.glsl: one run, in which a workgroup for each tile posts its aggregate and goes forward to its
 * own tile from the nearest entry of the spine that is posted. The last tile of a block also posts the block's
 * aggregate and the spine; so do walks that have computed a tile, for the blocks that they pass, and the first tile of
 * the next block the aggregate. Here every walk does so: a load may miss what is posted. tests/scripts/models.sh has Spin explore it exhaustively. What it shows, for every
 * interleaving:
 *
 *   no torn or wrong value   what a load returns as ready is exactly the one value that the entry has in this run
 *   one value per entry      a word that was posted never changes; a fallback computes the bits that the owner posts;
 *                            at most one insert of a word is the first
 *   the same bits always     what a walk ends with is what precedes its block, folded block by block from the first,
 *                            and then the block's tiles before its own: each tile once, in that order and bracketing
 *   no wait without end      each round of a workgroup's loop, be it a poll that brings nothing or a fallback, brings
 *                            it nearer to its end, whatever the others do; so the number of its own steps is bounded.
 *                            It never blocks (its waits are polls). And there is no cycle in the graph of all states,
 *                            so no infinite execution, fair or unfair
 *
 * What is abstracted is that of look_back.pml, for the reasons given there, but for this:
 *
 *   Loads      may return any value that the word has held, in this run or before it, with one exception, which the
 *              walk needs: an invocation does not see a word of a tile's entry go back to what it was before. That is
 *              coherence, which any memory model has for the atomic accesses of one invocation to one word, and it is
 *              always the same lane that polls a tile and that inserts it. Here it holds only of words that the
 *              workgroup has inserted and of those it sees to (of its own block, or the tile right before); all else is as weak as in look_back.pml.
 *   Stores     to a tile's entry arrive at any time: its owner posts it before anything else. Those to a block's
 *              entries, which others than its last tile may post as well, arrive when they are posted: all store the
 *              same words, and a load may miss them for as long as a store may be late. That instrumented kernels store zeros first makes no difference to a load.
 *   Inserts    of an entry's words are one step: a load may still see one and miss the other, and what others insert
 *              between them is the same.
 *   Values     An entry has but one value in a run, so its name only says of which run it is and in what order it was
 *              computed. What a walk has taken in is told by the number of blocks.
 *   Polls      are one step, or two if a block's aggregate is posted: that may be seen, and acted on, before the rest
 *              of the poll. Loads that can make no difference are left out: of spine entries behind the nearest that is
 *              posted, and of a block's tiles after the first that is missing.
 *   Epochs     A run begins with what an earlier one has left in each word. That it is of another epoch than the
 *              run's is what epoch.pml shows.
 *   Tiles      before FIRST_WALKER do not walk: what they may post for their block arrives at once, even before they
 *              can know it. Loads may miss it all the same, so that is more than they can do; and it leaves room for a
 *              third block. The first tile never walks.
 *   In place   With IN_PLACE defined a tile is overwritten after its walk, so what others compute of it is wrong from
 *              then on.
 *   Last tile  Nobody reads its entry, so that is left out.
 *
 * Define one of these to break the protocol, and see it noticed:
 *
 *   ONE_STATE      only the first word of an entry tells the state
 *   ANY_EPOCH      words of other epochs count as well
 *   NO_FALLBACK    a late predecessor is polled for ever
 *   PLAIN_INSERT   inserts store their words without comparing; without IN_PLACE that does no harm
 *   OTHER_ORDER    a fallback computes the aggregate in another order of operations than the owner
 *   TAKE_UNREADY   a block's aggregate is taken in whether it is posted or not
 *   SKIP_BLOCK     from any spine entry the walk goes on with its own block
 *   TAKE_TWICE     from a spine entry the walk goes on with the block that the entry includes
 *   INCOHERENT     loads of one invocation may go back to older values
 *   NO_SETTLING    a tile is overwritten before it is sure that its entry is posted
 */

#ifndef TILES
#define TILES 4
#endif
#ifndef FIRST_WALKER
#define FIRST_WALKER 1
#endif
#ifndef MAX_SPINS
#define MAX_SPINS 1
#endif
#ifndef SPINE_WINDOW
#define SPINE_WINDOW 2 /* spine entries that are polled at once */
#endif
#define BLOCK 2 /* tiles; the lanes of a subgroup */
#if TILES - FIRST_WALKER > 1 || FIRST_WALKER % BLOCK == 0
#define FIRST_OF_BLOCK_WALKS
#endif

/* A word: whether there is a value, its epoch (1: this run's) and half of a payload. */
#define WORD(ready, epoch, payload) ((ready) * 8 + (epoch) * 4 + (payload))
#ifdef ANY_EPOCH
#define WORD_READY(word) ((word) / 8)
#else
#define WORD_READY(word) (((word) / 4) % 2 -> (word) / 8 : 0)
#endif
#define WORD_PAYLOAD(word) ((word) % 4)

/* A payload is the name of a value: of this run (1) or an earlier one; its order of operations. */
#define VALUE(run, order) ((run) * 2 + (order))
#define OLD_WORD WORD(1, 0, VALUE(0, 0))
#define OWN_WORD WORD(1, 1, VALUE(1, 0))
#define OTHER_WORD WORD(1, 1, VALUE(1, 1))

/* The entries: of all tiles but the last, which nobody reads, and two for each whole block. */
#define ENTRY_WORDS 2
#define TILE_ENTRY(tile) (tile)
#define AGGREGATE_ENTRY(block) (TILES - 1 + (block) * 2)
#define SPINE_ENTRY(block) (AGGREGATE_ENTRY(block) + 1)
#define BLOCKS (TILES / BLOCK)
#define WORDS (AGGREGATE_ENTRY(BLOCKS) * ENTRY_WORDS)
#define TILE_WORDS (AGGREGATE_ENTRY(0) * ENTRY_WORDS)
#define FREE_WORDS (AGGREGATE_ENTRY(FIRST_WALKER / BLOCK) * ENTRY_WORDS) /* those from here on are posted by walkers */
#define DEPTH 3

/* All values that a word has held, in the order of modification. The last one is what it holds. */
typedef History {
    byte values[DEPTH];
    byte count;
}
History memory[WORDS];
#define HELD(word) memory[word].values[memory[word].count - 1]

#ifdef IN_PLACE
bit overwritten[TILES];
#endif

/* For the assertions. */
bit inserted[TILE_WORDS];
bool wrong, changed, inserted_twice, out_of_order, no_nearer;

/* How many rounds a workgroup may still need. Each tile may be computed, counted in and waited for once. */
#define IS_SEEN(word) ((seen >> (word)) & 1)
#define ROUNDS_LEFT ((uncertain + missing + block - next / BLOCK) * (MAX_SPINS + 1) + MAX_SPINS - spins)

inline modify(word, value) {
    if
    :: value != HELD(word) ->
        changed = WORD_READY(HELD(word));
        assert(!changed);
        memory[word].values[memory[word].count] = value;
        memory[word].count++
    :: else
    fi
}

/* Anything that the word has ever held, unless it was seen to be posted. */
inline load(word, value) {
    i = 0;
    do
    :: i < memory[word].count - 1 -> i++
    :: word >= TILE_WORDS || !IS_SEEN(word) || i == memory[word].count - 1 -> break
    od;
    value = memory[word].values[i];
    i = 0
}

inline see(word) {
#ifdef INCOHERENT
    skip
#else
    seen = seen | (1 << (word))
#endif
}

/* insert_word: a word that was seen to be ready is left alone. */
inline insert_word(word, value) {
    load(word, first_word);
    if
    :: !WORD_READY(first_word) ->
#ifdef PLAIN_INSERT
        modify(word, value)
#else
        if
        :: first_word == HELD(word) ->
            inserted_twice = inserted[word];
            assert(!inserted_twice);
            inserted[word] = 1;
            modify(word, value)
        :: else
        fi
#endif
    :: else
    fi;
    see(word);
    first_word = 0
}

inline insert_tile(tile, value) {
    insert_word((tile) * ENTRY_WORDS, value);
    insert_word((tile) * ENTRY_WORDS + 1, value)
}

/* A store that may be late without bound: no workgroup may wait for this process. */
proctype store_word(byte word) {
end:
    atomic { modify(word, OWN_WORD) }
}

/* weir_load_tile */
inline load_entry(entry, ready) {
    load((entry) * ENTRY_WORDS, first_word);
    load((entry) * ENTRY_WORDS + 1, second_word);
    ready = WORD_READY(first_word);
#ifndef ONE_STATE
    ready = ready && WORD_READY(second_word);
#endif
#ifdef TAKE_UNREADY
    ready = ready || ((entry) >= AGGREGATE_ENTRY(0) && ((entry) - AGGREGATE_ENTRY(0)) % 2 == 0);
#endif
    wrong = ready && (first_word != OWN_WORD || second_word != OWN_WORD);
    assert(!wrong)
}

/* With HEAD defined that tile holds the head of a segment: what precedes it does not matter to those after it. */
#ifdef HEAD
#define IS_CUT_OFF (HEAD / BLOCK == block && HEAD < tile)
#else
#define IS_CUT_OFF false
#endif

inline post_block(entry) {
    modify((entry) * ENTRY_WORDS, OWN_WORD);
    modify((entry) * ENTRY_WORDS + 1, OWN_WORD)
}

/* Takes in the aggregate of the block that begins with `next`. */
inline take_block() {
    out_of_order = blocks != next / BLOCK;
    assert(!out_of_order);
    blocks++;
    next = next + BLOCK
}

inline forget_look() {
    lane = 0;
    ready = 0;
    first_word = 0;
    second_word = 0
}

/* The first half of a poll: the nearest spine entry that is ready, and what the own block has. */
inline look() {
    rounds_left = ROUNDS_LEFT;
    before = next;
    missing_before = missing;
    do
    :: lane < SPINE_WINDOW && lane < block - next / BLOCK ->
        load_entry(SPINE_ENTRY(block - 1 - lane), ready);
        if
        :: ready ->
            blocks = block - lane;
#ifdef SKIP_BLOCK
            next = block * BLOCK;
#elif defined(TAKE_TWICE)
            next = (block - lane - 1) * BLOCK;
#else
            next = (block - lane) * BLOCK;
#endif
            break
        :: else -> lane++
        fi
    :: else -> break
    od;
    if
    :: missing > 0 ->
        missing = 0;
        lane = 0;
        own = block * BLOCK; /* the first tile that the workgroup sees to */
#ifdef FIRST_OF_BLOCK_WALKS
        if
        :: tile % BLOCK == 0 -> own = tile - 1
        :: else
        fi;
#endif
        do
        :: own + lane < tile ->
            load_entry(TILE_ENTRY(own + lane), ready);
            if
            :: WORD_READY(first_word) -> see((own + lane) * ENTRY_WORDS)
            :: else
            fi;
            if
            :: WORD_READY(second_word) -> see((own + lane) * ENTRY_WORDS + 1)
            :: else
            fi;
            if
            :: !ready -> late = own + lane
            :: else
            fi;
            missing = missing + !ready;
            lane++
        :: else -> break
        od;
        own = 0;
        if
        :: missing == 0 ->
            half = tile % BLOCK == BLOCK - 1;
            if
            :: half -> post_block(AGGREGATE_ENTRY(block))
            :: else
            fi
        :: else
        fi
    :: else
    fi;
    forget_look()
}

/* The second half: forward as far as what is ready allows. */
inline go_forward() {
    seen_next = next;
#ifdef FIRST_OF_BLOCK_WALKS
    if
    :: next < block * BLOCK && tile % BLOCK == 0 ->
        do
        :: lane < BLOCK ->
            load_entry(TILE_ENTRY((block - 1) * BLOCK + lane), ready);
            if
            :: ready -> lane++
            :: else -> break
            fi
        :: else -> post_block(AGGREGATE_ENTRY(block - 1)); break
        od;
        lane = 0
    :: else
    fi;
#endif
    do
    :: next < block * BLOCK && lane < BLOCK ->
        load_entry(AGGREGATE_ENTRY(next / BLOCK), ready);
        if
        :: ready -> take_block(); lane++
        :: else -> break
        fi
    :: else -> break
    od;
    lane = 0;
    if
    :: next < block * BLOCK && next == before ->
        do
        :: lane < BLOCK ->
            load_entry(TILE_ENTRY(next + lane), ready);
            if
            :: ready -> lane++
            :: else ->
                late = (missing == 0 -> next + lane : late);
                break
            fi
        :: else -> take_block(); break
        od
    :: else
    fi;
#if FIRST_WALKER < BLOCK /* else it is there already */
    if
    :: next != seen_next -> post_block(SPINE_ENTRY(next / BLOCK - 1))
    :: else
    fi;
#endif
    seen_next = 0;
#ifdef FIRST_OF_BLOCK_WALKS
    if
    :: tile % BLOCK == 0 && next == tile -> missing = 0
    :: else
    fi;
#endif
#ifdef NO_FALLBACK
    spins = 0;
#else
    spins = (missing != missing_before || (missing == 0 && next != before) -> 0 : spins + 1);
#endif
    late = (spins == MAX_SPINS -> late : 0);
    count_uncertain();
    check_round();
    if
    :: missing == 0 && (next == block * BLOCK || IS_CUT_OFF) ->
        out_of_order = blocks != block && !IS_CUT_OFF;
        assert(!out_of_order);
        if
        :: tile % BLOCK == BLOCK - 1 -> post_block(SPINE_ENTRY(block))
        :: else
        fi;
        walking = 0;
        spins = 0;
        next = 0;
        blocks = 0
    :: else
    fi;
    forget_look();
    before = 0;
    missing_before = 0
}

/* Counts the tiles that the workgroup may still miss, and forgets what it has seen of others. */
inline count_uncertain() {
    uncertain = 0;
    i = 0;
    do
    :: i < tile ->
        if
        :: i < next || (missing == 0 && i / BLOCK == block) -> seen = seen & ~(3 << (i * ENTRY_WORDS))
        :: else -> uncertain = uncertain + !(IS_SEEN(i * ENTRY_WORDS) && IS_SEEN(i * ENTRY_WORDS + 1))
        fi;
        i++
    :: else -> break
    od;
    i = 0
}

inline check_round() {
    no_nearer = ROUNDS_LEFT >= rounds_left;
    assert(!no_nearer);
    rounds_left = 0
}

/* One workgroup. The memory accesses of half a poll are a step together, all others a step each. */
proctype workgroup(byte tile) {
    byte block = tile / BLOCK;
    byte next;                    /* the first tile of a block: what precedes it is known */
    byte blocks;                  /* how many were taken in */
    byte missing = BLOCK + 1;     /* tiles of the own block; more than there are before the first look */
    byte late;                    /* the tile that is waited for */
    byte spins;
    short seen;                   /* a bit for each word that is known to be posted */
    byte uncertain = tile;        /* tiles that are not */
    bit walking = tile > 0;
    bit half;                     /* a poll is half done */
    /* 0 between rounds: */
    byte i, first_word, second_word, ready, lane, before, missing_before, rounds_left, own, seen_next;
#ifdef IN_PLACE
    byte computed;
#define COMPUTED computed
#elif defined(OTHER_ORDER)
#define COMPUTED OTHER_WORD
#else
#define COMPUTED OWN_WORD
#endif

    do
    :: !walking -> break
    :: walking && spins < MAX_SPINS ->
        atomic {
            if
            :: half -> half = 0
            :: else -> look()
            fi;
            if
            :: half /* others may come in between */
            :: else -> go_forward()
            fi
        }
    :: walking && spins == MAX_SPINS ->
        /* The late tile's aggregate is computed from the input alone. */
#ifdef IN_PLACE
        computed = (overwritten[late] -> OTHER_WORD : OWN_WORD);
#endif
        atomic {
            rounds_left = ROUNDS_LEFT;
            insert_tile(late, COMPUTED);
            spins = 0;
            late = 0;
#ifdef IN_PLACE
            computed = 0;
#endif
            count_uncertain();
            check_round()
        }
    od;
#ifdef IN_PLACE
    if
    :: tile < TILES - 1 ->
#ifndef NO_SETTLING
        atomic { insert_tile(tile, OWN_WORD) };
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
            memory[i].values[0] = OLD_WORD;
            memory[i].count = 1;
            if
            :: i < TILE_WORDS -> run store_word(i)
            :: i >= TILE_WORDS && i < FREE_WORDS -> modify(i, OWN_WORD)
            :: else
            fi;
            i++
        :: else -> break
        od;
        i = FIRST_WALKER;
        do
        :: i < TILES -> run workgroup(i); i++
        :: else -> break
        od;
        i = 0
    }
}
