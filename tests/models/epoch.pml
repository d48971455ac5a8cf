/*
 * The ticket and the epochs of shaders/lib/tile_state.glsl: runs without end, one after the other, over the same tile
 * states, which nobody clears between them. tests/scripts/models.sh has Spin explore it exhaustively. What it shows:
 *
 *   no old word comes alive   when a run begins, no word that it will read is of its epoch, however many runs there
 *                             were, and whatever their sizes; look_back.pml and spine.pml take it from there
 *   each ticket once          the workgroups of a run draw different tickets, all of them, and agree on the epoch; so
 *                             those that take tiles by ticket take each tile once
 *   no clearing too much      the words that a run clears are not those that it reads
 *
 * What is abstracted, and why that is sound:
 *
 *   Sizes      Epochs and tickets have a few bits here, and there are a few tiles. The entries are still cleared
 *              slice by slice, in half the time that the epoch needs to come round, and a slice ends within an entry.
 *   Runs       have a barrier between them, so a run sees all that earlier ones wrote. Each has any number of tiles
 *              up to the capacity, and any number of workgroups that is enough for them: more than tiles if the count
 *              is on the GPU, or if the dispatch has two dimensions. A workgroup that is alone draws no ticket and
 *              leaves the tile states as they are.
 *   Tiles      are taken in any order of tickets. That covers those that are taken by workgroup number, whenever the
 *              tickets are drawn; and those by ticket, whose workgroups happen to draw in the order of their numbers.
 *   Posts      By the end of a run each word of its tiles is of its epoch: the owner has posted, or the next tile's
 *              workgroup has inserted. Which of them, in which state and with what payload makes no difference here.
 *              Only the last tile may say nothing (an injected fault), as nobody reads it: with SILENT_LAST_TILE.
 *   Blocks     With BLOCK defined, that many tiles have a word in common, for the entries of spine_walk.glsl: the last
 *              tile of a whole block posts it, nobody inserts it, and later blocks' tiles read it. The last tile may
 *              say nothing (an injected fault), but clears it then.
 *
 * Define one of these to break it, and see it noticed:
 *
 *   NO_CLEARING        old entries are never cleared
 *   SLOW_CLEARING      they are all cleared, but only in the time that the epoch needs to come round
 *   MANY_GROUPS        more workgroups than the ticket can count
 *   KEEP_LAST_TILE     only what follows the last tile's words is cleared
 *   KEEP_PARTIAL_BLOCK the word of a last block that is not whole counts as read
 *   KEEP_SILENT_BLOCK  who says nothing for a block leaves its word as it is
 */

#ifndef EPOCH_BITS
#define EPOCH_BITS 2
#endif
#define EPOCHS (1 << EPOCH_BITS)
#define TICKETS 4 /* that can be counted in the bits below the epoch */
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

/* weir_is_read, by which words are cleared; and which words the walks do read. */
#define IS_KEPT(word) ((word) < BLOCKS && (word) < KEPT_BLOCKS || \
                       (word) >= BLOCKS && (word) + KEPT_BACK < TILE_WORD(tiles))
#define IS_READ(word) ((word) < BLOCKS && ((word) + 1) * BLOCK < tiles || \
                       (word) >= BLOCKS && (word) + ENTRY_WORDS < TILE_WORD(tiles))

byte ticket; /* epoch, and how many were drawn */

/* Of each word: 0 if nothing was posted since it was cleared, or one more than the epoch. */
byte memory[WORDS];

/* The present run. */
byte tiles, groups, run_epoch;

/* For the assertions. */
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
       _nr_pr == 1 /* all of them have ended */
    od
}
