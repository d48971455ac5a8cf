#ifndef WEIR_HISTOGRAM_LAYER_GLSL
#define WEIR_HISTOGRAM_LAYER_GLSL

#include "weir_subgroup.glsl"

// Counts the items of a workgroup in each of several bins, in workgroup memory:
//
//     WEIR_HISTOGRAM(name, BINS, COPIES)
//         void name_clear()             collective
//         void name_count(uint bin)     adds 1 to the bin; bins past the last one are not counted
//         uint name_total(uint bin)     of the workgroup; bin < BINS
//
// with a barrier of the caller between these steps. Each bin has COPIES counters, side by side, so that neighbouring invocations use different
// words and banks: 1 if bins are random, up to the subgroup size if many items share a bin. Takes BINS * COPIES words of workgroup memory.

#define WEIR_HISTOGRAM(name, BINS, COPIES)                                                                                       \
    shared uint name##_counters[BINS * COPIES];                                                                                  \
    void name##_clear() {                                                                                                        \
        for (uint row = 0; row < BINS * COPIES; row += WEIR_WORKGROUP) {                                                         \
            if (row + weir_invocation() < BINS * COPIES) {                                                                       \
                name##_counters[row + weir_invocation()] = 0;                                                                    \
            }                                                                                                                    \
        }                                                                                                                        \
    }                                                                                                                            \
    void name##_count(uint bin) {                                                                                                \
        if (bin < BINS) {                                                                                                        \
            atomicAdd(name##_counters[bin * COPIES + weir_invocation() % COPIES], 1, gl_ScopeWorkgroup,                          \
                      gl_StorageSemanticsNone, gl_SemanticsRelaxed);                                                           \
        }                                                                                                                        \
    }                                                                                                                            \
    uint name##_total(uint bin) {                                                                                                \
        uint sum = 0;                                                                                                            \
        for (uint copy = 0; copy < COPIES; ++copy) {                                                                             \
            sum += name##_counters[bin * COPIES + (copy + bin) % COPIES];                                                        \
        }                                                                                                                        \
        return sum;                                                                                                              \
    }

#endif
