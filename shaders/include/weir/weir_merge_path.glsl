#ifndef WEIR_MERGE_PATH_LAYER_GLSL
#define WEIR_MERGE_PATH_LAYER_GLSL

#extension GL_EXT_control_flow_attributes : require

// Merges two sorted lists in parallel. Each invocation finds where its part of the result begins (Green, McColl and Bader, "GPU Merge
// Path"):
//
//     WEIR_MERGE_PATH(name, T, first_of, second_of, precedes)
//         uint name_split(uint place, uint firsts, uint seconds)
//             Returns how many of the first `place` merged items come from the first list. The lists have `firsts` and `seconds` items.
//     WEIR_MERGE(name, T, ITEMS, first_of, second_of, precedes)
//         name_split as above, and
//         void name_merge(uint place, uint firsts, uint seconds, out T items[ITEMS])
//             Returns ITEMS merged items, starting at `place`. Items beyond the end are unspecified.
//
// The parameters are names of functions. T first_of(uint i) and T second_of(uint i) return items of the lists, which may be in any memory.
// bool precedes(T a, T b) is a strict weak order. Among equivalent items, those of the first list come first.

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
            bool takes_first = first < firsts;                                                                                   \
            if (first < firsts && second < seconds) {                                                                            \
                takes_first = !precedes(second_of(second), first_of(first));                                                     \
            }                                                                                                                    \
            if (takes_first) {                                                                                                   \
                items[i] = first_of(first);                                                                                      \
                ++first;                                                                                                         \
            } else if (second < seconds) {                                                                                       \
                items[i] = second_of(second);                                                                                    \
                ++second;                                                                                                        \
            }                                                                                                                    \
        }                                                                                                                        \
    }

#endif
