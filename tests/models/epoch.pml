/*
 * The ticket and the epochs of shaders/lib/tile_state.glsl: runs without end, one after the other, over the same tile
 * states, which nobody clears between them. tests/scripts/models.sh has Spin explore it exhaustively. What it shows:
 *
 *   no old word comes alive   when a run begins, no word that it will read is of its epoch, however many runs there
 *                             were, and whatever their sizes; look_back.pml takes it from there
 *   each tile once            the workgroups of a run take different tiles, all of them, and agree on the epoch
 *   no clearing too much      the words that a run clears are not those that it reads
 *
 * What is abstracted, and why that is sound:
 *
 *   Sizes      Epochs and tickets have a few bits here, and there are a few tiles. The entries are still cleared
 *              slice by slice, in half the time that the epoch needs to come round, and a slice ends within an entry.
 *   Runs       have a barrier between them, so a run sees all that earlier ones wrote. Each has any number of tiles
 *              up to the capacity, and any number of workgroups that is enough for them: more than tiles if the count
 *              is on the GPU, or if the dispatch has two dimensions.
 *   Posts      By the end of a run each word of its tiles is of its epoch: the owner has posted, or the next tile's
 *              workgroup has inserted. Which of them, in which state and with what payload makes no difference here.
 *              Only the last tile may say nothing (an injected fault), as nobody reads it: with SILENT_LAST_TILE.
 *
 * Define one of these to break it, and see it noticed:
 *
 *   NO_CLEARING        old entries are never cleared
 *   SLOW_CLEARING      they are all cleared, but only in the time that the epoch needs to come round
 *   MANY_GROUPS        more workgroups than the ticket can count
 *   KEEP_LAST_TILE     only what follows the last tile's words is cleared
 */

#ifndef EPOCH_BITS
#define EPOCH_BITS 2
#endif
#define EPOCHS (1 << EPOCH_BITS)
#define TICKETS 4 /* that can be counted in the bits below the epoch */
#ifndef TILES
#define TILES 3
#endif
#define ENTRY_WORDS 2
#define WORDS (TILES * ENTRY_WORDS)
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

byte ticket; /* epoch and next tile */

/* Of each word: 0 if nothing was posted since it was cleared, or one more than the epoch. */
byte memory[WORDS];

/* The present run. */
byte tiles, groups, run_epoch;

/* For the assertions. */
bit taken[GROUPS];
bool came_alive, wrong_ticket, cleared_too_much;

proctype workgroup() {
    byte tile, epoch, i, word;

    d_step {
        tile = ticket % TICKETS;
        epoch = ticket / TICKETS;
        ticket = (ticket + 1) % (EPOCHS * TICKETS);
        wrong_ticket = epoch != run_epoch || taken[tile];
        assert(!wrong_ticket);
        taken[tile] = 1
    };
    if
    :: tile == groups - 1 ->
        ticket = (epoch + 1) % EPOCHS * TICKETS;
#ifndef NO_CLEARING
        do
        :: i < SLICE_WORDS ->
            d_step {
                word = epoch % SLICES * SLICE_WORDS + i;
                if
                :: word < WORDS && word + KEPT_BACK >= tiles * ENTRY_WORDS ->
                    cleared_too_much = word / ENTRY_WORDS + 1 < tiles;
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
    i = 0;
    if
    :: tile < tiles ->
        do
        :: i < ENTRY_WORDS -> memory[tile * ENTRY_WORDS + i] = epoch + 1; i++
#ifdef SILENT_LAST_TILE
        :: i < ENTRY_WORDS && tile == tiles - 1 -> i++
#endif
        :: i == ENTRY_WORDS -> break
        od
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
        :: i < GROUPS -> taken[i] = 0; i++
        :: else -> break
        od;
        i = 0;
        do /* the last tile's words are never read */
        :: i + ENTRY_WORDS < tiles * ENTRY_WORDS ->
            came_alive = memory[i] == run_epoch + 1;
            assert(!came_alive);
            i++
        :: else -> break
        od;
        i = 0;
        do
        :: i < groups -> run workgroup(); i++
        :: else -> break
        od;
        i = 0
       };
       _nr_pr == 1 /* all of them have ended */
    od
}
