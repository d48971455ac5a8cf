#ifndef WEIR_MERGE_PATH_LAYER_GLSL
#define WEIR_MERGE_PATH_LAYER_GLSL

#extension GL_EXT_control_flow_attributes : require

// Merges two sorted lists by many invocations, each of which finds where its part of the result begins (Green, McColl and Bader, "GPU Merge
// Path"):
//
//     WEIR_MERGE_PATH(name, T, first_of, second_of, precedes)
//         uint name_split(uint place, uint firsts, uint seconds)
//             How many of the first `place` items of the merged lists come from the first list. Lists have `firsts` and `seconds` items.
//     WEIR_MERGE(name, T, ITEMS, first_of, second_of, precedes)
//         that, and
//         void name_merge(uint place, uint firsts, uint seconds, out T items[ITEMS])
//             The items from `place` on of the merged lists. Those past the end are any.
//
// with the names of functions T first_of(uint i) and T second_of(uint i), which return items of the lists, wherever these are, and
// bool precedes(T a, T b), a strict order. Of items that are equivalent those of the first list come first.

#define WEIR_MERGE_PATH(name, T, first_of, second_of, precedes)                                                                  \
    uint name##_split(uint place, uint firsts, uint seconds) {                                                                   \
        uint low = place > seconds ? place - seconds : 0, high = min(place, firsts);                                             \
        while (low < high) {                                                                                                     \
            const uint middle = low + (high - low) / 2;                                                                          \
            if (precedes(second_of(place - 1 - middle), first_of(middle))) {                                                     \
                high = middle;                                                                                                   \
            } else {                                                                                                             \
                low = middle + 1;                                                                                                \
            }                                                                                                                    \
        }                                                                                                                        \
        return low;                                                                                                              \
    }

#define WEIR_MERGE(name, T, ITEMS, first_of, second_of, precedes)                                                                \
    WEIR_MERGE_PATH(name, T, first_of, second_of, precedes)                                                                      \
    void name##_merge(uint place, uint firsts, uint seconds, out T items[ITEMS]) {                                               \
        place = min(place, firsts + seconds);                                                                                    \
        uint first = name##_split(place, firsts, seconds);                                                                       \
        uint second = place - first;                                                                                             \
        [[unroll]] for (uint i = 0; i < ITEMS; ++i) {                                                                            \
            if (first < firsts && (second >= seconds || !precedes(second_of(second), first_of(first)))) {                        \
                items[i] = first_of(first);                                                                                      \
                ++first;                                                                                                         \
            } else if (second < seconds) {                                                                                       \
                items[i] = second_of(second);                                                                                    \
                ++second;                                                                                                        \
            }                                                                                                                    \
        }                                                                                                                        \
    }

#endif
