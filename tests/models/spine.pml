/*
 * Model of the look-back of shaders/lib/look_back.glsl with the walk of shaders/lib/spine_walk.glsl, over the tile states
 * of shaders/lib/tile_state.glsl. In one run, a workgroup for each tile posts its aggregate, and goes forward to its own
 * tile from the nearest spine entry that is posted. The last tile of a block also posts the block's aggregate and its
 * spine entry. A walk that has computed a tile also posts spine entries of the blocks that it passes. If it belongs to
 * the first tile of a block, it also posts the aggregate of the previous block. Here every walk does so, because a load
 * may miss a post. tests/scripts/models.sh explores all states of this model with Spin. Properties of every
 * interleaving:
 *
 *   no torn or wrong value   if a load returns a value as ready, it is the one value of the entry in this run
 *   one value per entry      a posted word never changes; a fallback computes the bits that the owner posts; at most one
 *                            insert of a word succeeds
 *   the same bits always     a walk ends with the value of the tiles before its block, folded block by block from the
 *                            first, and then the block's tiles before its own. Each tile occurs once, in this order and
 *                            bracketing
 *   no endless wait          each round of a workgroup's loop, a poll or a fallback, brings it closer to its end,
 *                            independent of the other workgroups. Therefore the number of its own steps is bounded. It
 *                            never blocks, because its waits are polls. The graph of all states has no cycle, so no
 *                            execution is infinite, fair or unfair
 *
 * The abstractions are those of look_back.pml, for the reasons given there, except:
 *
 *   Loads      may return any value that the word has held, in this run or before it, with one exception that the walk
 *              needs: an invocation does not see a word of a tile's entry return to an earlier value. Any memory model
 *              guarantees this coherence for atomic accesses of one invocation to one word. The same lane always polls
 *              a tile and inserts it. Here coherence applies only to words that the workgroup has inserted, and to words
 *              that it polls for its own block, or for the tile right before its own. All other loads are as weak as in
 *              look_back.pml.
 *   Stores     to a tile's entry arrive at any time, because its owner posts it first. Stores to a block's entries arrive
 *              when they are posted. Tiles other than the block's last one may also post them, all with the same words,
 *              and a load may miss them for as long as a store may be late. Instrumented kernels store zeros first,
 *              which makes no difference to a load.
 *   Inserts    of an entry's words are one step. A load may still see one word and miss the other. Between them, other
 *              workgroups insert the same words.
 *   Values     An entry has only one value in a run, so its name consists of the run and the order of operations. The
 *              number of blocks describes the value that a walk has taken in.
 *   Polls      are one step, or two if a block's aggregate is posted, because other workgroups may act on it before the
 *              rest of the poll. The model omits loads that make no difference: of spine entries behind the nearest that
 *              is posted, and of a block's tiles after the first that is missing.
 *   Epochs     A run begins with a word of an earlier run in each place. epoch.pml shows that it has another epoch.
 *   Tiles      before FIRST_WALKER do not walk. Their posts for their block arrive at once, even before they can know
 *              the values. Loads may still miss the posts, so this covers more than the tiles can do, and allows a third
 *              block. The first tile never walks.
 *   In place   With IN_PLACE defined, a tile is overwritten after its walk. From then on, other workgroups compute a
 *              wrong value of it.
 *   Last tile  No tile reads its entry, so the model omits it.
 *
 * Each of these macros breaks the protocol, and the search must find the error:
 *
 *   ONE_STATE      only the first word of an entry decides the state
 *   ANY_EPOCH      words of other epochs count as well
 *   NO_FALLBACK    a late predecessor is polled forever
 *   PLAIN_INSERT   inserts store their words without comparing, which is an error only with IN_PLACE
 *   OTHER_ORDER    a fallback computes the aggregate in another order of operations than the owner
 *   TAKE_UNREADY   a block's aggregate is taken in even if it is not posted
 *   SKIP_BLOCK     a walk that finds any spine entry continues with its own block
 *   TAKE_TWICE     a walk that finds a spine entry continues with the block that the entry includes
 *   INCOHERENT     loads of one invocation may return older values than before
 *   NO_SETTLING    a tile is overwritten although its entry may not be posted
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
#define SPINE_WINDOW 2 /* number of spine entries polled at once */
#endif
#define BLOCK 2 /* tiles of a block; lanes of a subgroup */
#if TILES - FIRST_WALKER > 1 || FIRST_WALKER % BLOCK == 0
#define FIRST_OF_BLOCK_WALKS
#endif

/* A word consists of a ready bit, an epoch (1 for this run) and half of a payload. */
#define WORD(ready, epoch, payload) ((ready) * 8 + (epoch) * 4 + (payload))
#ifdef ANY_EPOCH
#define WORD_READY(word) ((word) / 8)
#else
#define WORD_READY(word) (((word) / 4) % 2 -> (word) / 8 : 0)
#endif
#define WORD_PAYLOAD(word) ((word) % 4)

/* A payload is the name of a value: run (1 for this run, 0 for an earlier one), order of operations. */
#define VALUE(run, order) ((run) * 2 + (order))
#define OLD_WORD WORD(1, 0, VALUE(0, 0))
#define OWN_WORD WORD(1, 1, VALUE(1, 0))
#define OTHER_WORD WORD(1, 1, VALUE(1, 1))

/* Each tile except the last has an entry, and each whole block has two. No tile reads an entry of the last tile. */
#define ENTRY_WORDS 2
#define TILE_ENTRY(tile) (tile)
#define AGGREGATE_ENTRY(block) (TILES - 1 + (block) * 2)
#define SPINE_ENTRY(block) (AGGREGATE_ENTRY(block) + 1)
#define BLOCKS (TILES / BLOCK)
#define WORDS (AGGREGATE_ENTRY(BLOCKS) * ENTRY_WORDS)
#define TILE_WORDS (AGGREGATE_ENTRY(0) * ENTRY_WORDS)
#define FREE_WORDS (AGGREGATE_ENTRY(FIRST_WALKER / BLOCK) * ENTRY_WORDS) /* walks post the words from here on */
#define DEPTH 3

/* All values that a word has held, in modification order. The last one is the current value. */
typedef History {
    byte values[DEPTH];
    byte count;
}
History memory[WORDS];
#define HELD(word) memory[word].values[memory[word].count - 1]

#ifdef IN_PLACE
bit overwritten[TILES];
#endif

/* State of the assertions. */
bit inserted[TILE_WORDS];
bool wrong, changed, inserted_twice, out_of_order, no_nearer;

/* Upper bound on the rounds that a workgroup still needs. Each tile is computed, counted and waited for at most once. */
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

/* Loads any value that the word has held, or only the newest if this workgroup has seen the word posted. */
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

/* Models insert_word. It does not change a word that it has loaded as ready. */
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

/* Carries one store to memory. The delay has no bound: no workgroup may wait for this process. */
proctype store_word(byte word) {
end:
    atomic { modify(word, OWN_WORD) }
}

/* Models weir_load_tile. */
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

/* With HEAD defined, tile HEAD holds the head of a segment. Later tiles do not depend on tiles before it. */
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

/* Does the first half of a poll: finds the nearest spine entry that is ready, and polls the own block. */
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
        own = block * BLOCK; /* the first tile that the workgroup waits for */
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

/* Does the second half of a poll: goes forward as far as entries are ready. */
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
#if FIRST_WALKER < BLOCK /* otherwise it is already posted */
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

/* Counts the tiles that the workgroup may still miss. Forgets which words it has seen of all other tiles. */
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

/* One workgroup. The memory accesses of half a poll are one step together. Each other access is a step. */
proctype workgroup(byte tile) {
    byte block = tile / BLOCK;
    byte next;                    /* the first tile of a block; all tiles before it are taken in */
    byte blocks;                  /* number of blocks taken in */
    byte missing = BLOCK + 1;     /* missing tiles of the own block; more than a block has before the first look */
    byte late;                    /* the tile that the walk waits for */
    byte spins;
    short seen;                   /* one bit per word that this workgroup has seen posted */
    byte uncertain = tile;        /* number of tiles that it may still miss */
    bit walking = tile > 0;
    bit half;                     /* the first half of a poll is done, the second is not */
    /* These are 0 between rounds. */
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
            :: half /* steps of other workgroups may come between */
            :: else -> go_forward()
            fi
        }
    :: walking && spins == MAX_SPINS ->
        /* Computes the late tile's aggregate from the input only. */
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
