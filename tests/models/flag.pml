/*
 * The flag of shaders/lib/tile_flag.glsl: an entry in one run, whose owner posts an aggregate and then a prefix, which others
 * compute in its place, and which others read. What the walks make of it is in look_back.pml and spine.pml: there a load gives a
 * state and its value, or nothing yet. tests/scripts/models.sh has Spin explore this exhaustively. What it shows:
 *
 *   no torn or wrong value   whoever sees a state of this run loads the whole value that it stands for, nothing older and
 *                            nothing newer
 *   no step back             the flag never returns to an earlier state
 *
 * What is abstracted, and why that is sound:
 *
 *   Loads      of a word give any value that it has held, but none older than one that the reader knows of. It comes to
 *              know what the writer of a flag knew when it stored that, if the store released it and the load acquired it.
 *              That is how the memory models of Vulkan and C++ order relaxed, releasing and acquiring accesses; any hardware
 *              does at least that.
 *   Stores     of a value's words come in any order: they may also be seen so. An owner that stops anywhere, or never
 *              starts, is one whose later steps are not yet done.
 *   Values     are names: what the words held before the run, the owner's aggregate, its prefix. Values of more than two words
 *              can only be torn if two of them disagree.
 *   Epochs     The flag holds one of another epoch when the run begins: epoch.pml shows that, with a word to an entry.
 *   Heads      A tile with the head of a segment posts its prefix at once, and so do others in its place: as here the
 *              aggregate, with nothing after it.
 *
 * Define one of these to break the protocol, and see it noticed:
 *
 *   RELAXED_STORE  the flag's store does not release the words
 *   RELAXED_LOAD   the flag's load does not acquire them
 *   ONE_PLACE      the prefix is stored over the aggregate
 *   OTHER_ORDER    a fallback computes the aggregate in another order of operations than the owner
 *   PLAIN_INSERT   a fallback stores the flag without comparing
 */

#define FALLBACKS 2

#define NOT_READY 0
#define AGGREGATE 1
#define PREFIX 2
#define OTHER_AGGREGATE 3

#ifdef OTHER_ORDER
#define LATE_AGGREGATE OTHER_AGGREGATE
#else
#define LATE_AGGREGATE AGGREGATE
#endif

/* Two words for each of two values. */
#ifdef ONE_PLACE
#define PLACE(state) 0
#else
#define PLACE(state) (((state) - 1) * 2)
#endif
#define WORDS 4
#define DEPTH 6

/* All that a word has held, in the order of modification; before the run, nothing of use. */
typedef History {
    byte values[DEPTH];
    byte last;
}
History memory[WORDS];

/* What somebody knows of: the place of each word's newest value that it must see, or a later one. */
typedef View {
    byte words[WORDS];
}

/* What the flag has held, and what its writers released with it. */
byte flags[DEPTH];
View released[DEPTH];
byte last_flag;

bool torn, wrong, stepped_back;

inline copy_view(to, from) {
    to.words[0] = from.words[0];
    to.words[1] = from.words[1];
    to.words[2] = from.words[2];
    to.words[3] = from.words[3]
}

inline store_word(word, value) {
    atomic {
        memory[word].last++;
        assert(memory[word].last < DEPTH);
        memory[word].values[memory[word].last] = value;
        known.words[word] = memory[word].last
    }
}

inline store_value(place, value) {
    if
    :: store_word(place, value); store_word(place + 1, value)
    :: store_word(place + 1, value); store_word(place, value)
    fi
}

/* One step with whatever surrounds it. */
inline store_flag(state) {
    stepped_back = state < flags[last_flag];
    assert(!stepped_back);
    last_flag++;
    assert(last_flag < DEPTH);
    flags[last_flag] = state;
#ifndef RELAXED_STORE
    copy_view(released[last_flag], known)
#endif
}

/* weir_store_tile, twice. */
proctype owner() {
    View known;

    store_value(PLACE(AGGREGATE), AGGREGATE);
    atomic { store_flag(AGGREGATE) };
    store_value(PLACE(PREFIX), PREFIX);
    atomic { store_flag(PREFIX) }
}

/* weir_insert_tile: the flag is compared with one as old as may be. */
proctype fallback() {
    View known;

    store_value(PLACE(AGGREGATE), LATE_AGGREGATE);
#ifdef PLAIN_INSERT
    atomic { store_flag(AGGREGATE) }
#else
    atomic {
        if
        :: flags[last_flag] == NOT_READY -> store_flag(AGGREGATE)
        :: else
        fi
    }
#endif
}

/* Any value of a word that is no older than the reader knows. */
inline load_word(word, value) {
    i = known.words[word];
    do
    :: i < memory[word].last -> i++
    :: break
    od;
    known.words[word] = i;
    value = memory[word].values[i];
    i = 0
}

/* weir_load_tile. Its loads may be late: a step each. */
proctype reader() {
    View known;
    byte i, state, first, second;

    atomic {
        do
        :: i < last_flag -> i++
        :: break
        od;
        state = flags[i];
#ifndef RELAXED_LOAD
        copy_view(known, released[i]);
#endif
        i = 0
    }
    if
    :: state == NOT_READY
    :: else ->
        atomic { load_word(PLACE(state), first) };
        atomic {
            load_word(PLACE(state) + 1, second);
            torn = first != second;
            assert(!torn);
            wrong = first != state && !(state == AGGREGATE && first == LATE_AGGREGATE);
            assert(!wrong)
        }
    fi
}

init {
    byte i;
    atomic {
        run owner();
        run reader();
        do
        :: i < FALLBACKS -> run fallback(); i++
        :: else -> break
        od
    }
}
