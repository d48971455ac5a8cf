#ifndef WEIR_CLASSIFY_GLSL
#define WEIR_CLASSIFY_GLSL

// The predicates of a compaction, one per part except the last. They test `item`, the words of an element.

const uint CLASSIFIER_COMPARISON = 0; // with `thresholds`, two words per part
const uint CLASSIFIER_FLAGS = 1;      // element i is kept if word i is not 0
const uint CLASSIFIER_BITS = 2;       // element i is kept if bit i % 32 of word i / 32 is set
const uint CLASSIFIER_CUSTOM = 3;     // with CUSTOM_PREDICATE: bool predicate(uint part, uint i)
const uint CLASSIFIER_ORDER = 4;      // part 0: elements before the key in words 0 and 1 of the flags, in total order; part 1: equal ones
const uint CLASSIFIER_UP_TO = 6;      // elements that are not after such a key

#include "total_order.glsl"

layout(set = 0, binding = FLAGS_BINDING) readonly buffer Flags { uint flag_words[]; };

#ifdef CUSTOM_PREDICATE

bool predicate(uint part, uint i);

#else

#include "comparison.glsl"

bool predicate(uint part, uint i) {
    return compares(part == 0 ? FIRST_COMPARISON : SECOND_COMPARISON, sortable(item[0], item[ITEM_WORDS - 1]),
                    sortable(thresholds[part * 2], thresholds[part * 2 + 1]));
}

#endif

// With CLASSIFIER_ORDER: greater elements come first.
const bool DESCENDING = FIRST_COMPARISON == 4;

// Returns the number of elements of part 1 that are stored along with part 0. For CLASSIFIER_ORDER.
uint wanted_equals() {
    return flag_words[2];
}

const bool KNOWS_KEY = CLASSIFIER == CLASSIFIER_ORDER || CLASSIFIER == CLASSIFIER_UP_TO;
uvec2 last_key;

// Loads the key of the classifier, if it has one. Call it before is_in.
void begin_classes() {
    if (KNOWS_KEY) {
        last_key = uvec2(ITEM_WORDS == 1 ? 0 : flag_words[0], flag_words[1]);
    }
}

// Returns true if the predicate of `part` holds for element i, which must be loaded.
bool is_in(uint part, uint i) {
    if (CLASSIFIER == CLASSIFIER_FLAGS) {
        return flag_words[i] != 0;
    }
    if (CLASSIFIER == CLASSIFIER_BITS) {
        return (flag_words[i / 32] >> i % 32 & 1) != 0;
    }
    if (KNOWS_KEY) {
        const uvec2 key = key_of(ITEM_WORDS == 1 ? 0 : item[0], item[ITEM_WORDS - 1]) ^ (DESCENDING ? ~0u : 0);
        const uvec2 last = uvec2(ITEM_WORDS == 1 ? key.x : last_key.x, last_key.y);
        return CLASSIFIER == CLASSIFIER_UP_TO ? !precedes(last, key) : part == 0 ? precedes(key, last) : key == last;
    }
    return predicate(part, i);
}

#endif
