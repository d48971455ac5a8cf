/*
 * Model of the ticket and the epochs of shaders/lib/tile_state.glsl: an endless sequence of runs over the same tile
 * states, which are not reset between runs. tests/scripts/models.sh explores all its states with Spin. Properties:
 *
 *   no old word comes alive   when a run begins, no word that it reads has its epoch, for any number and sizes of
 *                             earlier runs; look_back.pml and spine.pml assume this
 *   each ticket once          the workgroups of a run draw each ticket of the run once, and agree on the epoch.
 *                             Therefore workgroups that take tiles by ticket take each tile once
 *   no clearing too much      a run does not clear words that it reads
 *
 * Abstractions, and the reasons why they are sound:
 *
 *   Sizes      Epochs and tickets have a few bits, and a run has a few tiles. The entries are still cleared slice by
 *              slice, within half of the epochs, and a slice ends within an entry.
 *   Runs       are separated by barriers, so a run sees all writes of earlier runs. A run has any number of tiles up to
 *              the capacity, and at least one workgroup for each tile. It has more workgroups than tiles if the count
 *              is on the GPU, or if the dispatch has two dimensions. A workgroup that is alone draws no ticket and
 *              leaves the tile states unchanged.
 *   Tiles      are taken in any order of tickets. This covers tiles by workgroup number, independent of the time of the
 *              draws. It also covers tiles by ticket, if workgroups draw in the order of their numbers.
 *   Posts      At the end of a run, each word of its tiles has the epoch of the run: the owner has posted, or the next
 *              tile's workgroup has inserted. The model ignores which of them it was, the state and the payload. With
 *              SILENT_LAST_TILE the last tile may post nothing (an injected fault), because no tile reads its entry.
 *   Blocks     With BLOCK defined, each block of BLOCK tiles has a word, for the entries of spine_walk.glsl. The last
 *              tile of a whole block posts it, no other tile inserts it, and tiles of later blocks read it. If the last
 *              tile posts nothing (an injected fault), it clears the word.
 *
 * Each of these macros breaks the model, and the search must find the error:
 *
 *   NO_CLEARING        old entries are never cleared
 *   SLOW_CLEARING      clearing all entries takes as many runs as there are epochs, instead of half of that
 *   MANY_GROUPS        a run has more workgroups than the ticket can count
 *   KEEP_LAST_TILE     the words of the last tile are not cleared
 *   KEEP_PARTIAL_BLOCK the word of an incomplete last block counts as read
 *   KEEP_SILENT_BLOCK  a tile that posts nothing for its block does not clear the block's word
 */

#ifndef EPOCH_BITS
#define EPOCH_BITS 2
#endif
#define EPOCHS (1 << EPOCH_BITS)
#define TICKETS 4 /* maximum number of tickets that the bits below the epoch can count */
#ifndef TILES
#define TILES 3
#endif
#ifndef ENTRY_WORDS
#define ENTRY_WORDS 2
#endif
#ifdef BLOCK
#define BLOCKS ((TILES + BLOCK - 1) / BLOCK)
#else
#define BLOCKS 0
#define BLOCK (TILES + 1)
#endif
#define TILE_WORD(tile) (BLOCKS + (tile) * ENTRY_WORDS)
#define WORDS TILE_WORD(TILES)
#ifdef MANY_GROUPS
#define GROUPS (TICKETS + 1)
#else
#define GROUPS TICKETS
#endif
#ifdef KEEP_LAST_TILE
#define KEPT_BACK 0
#else
#define KEPT_BACK ENTRY_WORDS
#endif
#ifdef SLOW_CLEARING
#define SLICES EPOCHS
#else
#define SLICES (EPOCHS / 2)
#endif
#define SLICE_WORDS ((WORDS + SLICES - 1) / SLICES)
#ifdef KEEP_PARTIAL_BLOCK
#define KEPT_BLOCKS ((tiles + BLOCK - 1) / BLOCK)
#else
#define KEPT_BLOCKS (tiles / BLOCK)
#endif

/* IS_KEPT is weir_is_read, which exempts words from clearing. IS_READ is true for words that the walks read. */
#define IS_KEPT(word) ((word) < BLOCKS && (word) < KEPT_BLOCKS || \
                       (word) >= BLOCKS && (word) + KEPT_BACK < TILE_WORD(tiles))
#define IS_READ(word) ((word) < BLOCKS && ((word) + 1) * BLOCK < tiles || \
                       (word) >= BLOCKS && (word) + ENTRY_WORDS < TILE_WORD(tiles))

byte ticket; /* epoch * TICKETS + number of tickets drawn */

/* Each word is 0 if it was not posted since it was cleared, else 1 + the epoch of the last post. */
byte memory[WORDS];

/* The current run. */
byte tiles, groups, run_epoch;

/* State of the assertions. */
bit drawn[GROUPS];
bool came_alive, wrong_ticket, cleared_too_much;

proctype workgroup(byte tile) {
    byte place, epoch, i, word;

    d_step {
        place = ticket % TICKETS;
        epoch = ticket / TICKETS;
        ticket = (ticket + 1) % (EPOCHS * TICKETS);
        wrong_ticket = epoch != run_epoch || drawn[place];
        assert(!wrong_ticket);
        drawn[place] = 1
    };
    if
    :: place == groups - 1 ->
        ticket = (epoch + 1) % EPOCHS * TICKETS;
#ifndef NO_CLEARING
        do
        :: i < SLICE_WORDS ->
            d_step {
                word = epoch % SLICES * SLICE_WORDS + i;
                if
                :: word < WORDS && !IS_KEPT(word) ->
                    cleared_too_much = IS_READ(word);
                    assert(!cleared_too_much);
                    memory[word] = 0
                :: else
                fi;
                word = 0;
                i++
            }
        :: else -> break
        od
#endif
    :: else
    fi;
    place = 0;
    i = 0;
    if
    :: tile < tiles ->
        do
        :: i < ENTRY_WORDS -> memory[TILE_WORD(tile) + i] = epoch + 1; i++
#ifdef SILENT_LAST_TILE
        :: i < ENTRY_WORDS && tile == tiles - 1 -> i++
#endif
        :: i == ENTRY_WORDS -> break
        od;
#if BLOCKS > 0
        if
        :: tile % BLOCK == BLOCK - 1 -> memory[tile / BLOCK] = epoch + 1
#ifdef KEEP_SILENT_BLOCK
        :: tile % BLOCK == BLOCK - 1
#else
        :: tile % BLOCK == BLOCK - 1 -> memory[tile / BLOCK] = 0
#endif
        :: else
        fi
#endif
    :: else
    fi
}

init {
    byte i;

    do
    :: atomic {
        tiles = 0;
        do
        :: tiles < TILES -> tiles++
        :: break
        od;
        groups = (tiles > 0 -> tiles : 1);
        do
        :: groups < GROUPS -> groups++
        :: break
        od;
        run_epoch = ticket / TICKETS;
        i = 0;
        do
        :: i < GROUPS -> drawn[i] = 0; i++
        :: else -> break
        od;
        i = 0;
        do
        :: i < WORDS ->
            came_alive = IS_READ(i) && memory[i] == run_epoch + 1;
            assert(!came_alive);
            i++
        :: else -> break
        od;
        i = 0;
        do
        :: groups > 1 && i < groups -> run workgroup(i); i++
        :: else -> break
        od;
        i = 0
       };
       _nr_pr == 1 /* all workgroups have ended */
    od
}
