/*
 * Model of the flag of shaders/lib/tile_flag.glsl: one entry in one run. Its owner posts an aggregate and then a prefix.
 * Other workgroups compute the aggregate for the owner, and others read the entry. look_back.pml and spine.pml model how
 * walks use the values: there a load returns a state and its value, or that the entry is not ready.
 * tests/scripts/models.sh explores all states of this model with Spin. Properties:
 *
 *   no torn or wrong value   a reader that sees a state of this run loads the whole value of that state, neither an
 *                            older nor a newer one
 *   no step back             the flag never returns to an earlier state
 *
 * Abstractions, and the reasons why they are sound:
 *
 *   Loads      of a word return any value that it has held, except values older than one that the reader knows of. If
 *              the store of a flag released and the load acquired, the reader learns what the writer knew at the store.
 *              The memory models of Vulkan and C++ order relaxed, releasing and acquiring accesses in this way. Any
 *              hardware orders at least as much.
 *   Stores     of a value's words take effect in any order, because other workgroups may see them in any order. An owner
 *              that stops anywhere, or never starts, is one whose later steps are not yet done.
 *   Values     are names: what the words held before the run, the owner's aggregate, its prefix. A value of more than
 *              two words can only be torn if two of its words disagree.
 *   Epochs     The flag has another epoch when the run begins. epoch.pml shows this, with one word per entry.
 *   Heads      A tile with the head of a segment posts only its prefix. A fallback posts the same for it. The model
 *              covers this by the aggregate, without later posts.
 *
 * Each of these macros breaks the protocol, and the search must find the error:
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

/* Each of the two values has two words. */
#ifdef ONE_PLACE
#define PLACE(state) 0
#else
#define PLACE(state) (((state) - 1) * 2)
#endif
#define WORDS 4
#define DEPTH 6

/* All values that a word has held, in modification order. The value before the run is 0, which is no value of a tile. */
typedef History {
    byte values[DEPTH];
    byte last;
}
History memory[WORDS];

/* The knowledge of a process: for each word, the place in its history of the oldest value that a load may return. */
typedef View {
    byte words[WORDS];
}

/* The states that the flag has held, and the knowledge that each store released. */
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

/* Runs in the atomic step of its caller. */
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

/* Calls weir_store_tile twice. */
proctype owner() {
    View known;

    store_value(PLACE(AGGREGATE), AGGREGATE);
    atomic { store_flag(AGGREGATE) };
    store_value(PLACE(PREFIX), PREFIX);
    atomic { store_flag(PREFIX) }
}

/* Models weir_insert_tile. The compared flag may be as old as possible. */
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

/* Loads any value of a word, except values older than one that the reader knows of. */
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

/* Models weir_load_tile. Each load is one step, because it may be late. */
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
