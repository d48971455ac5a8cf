#ifndef WEIR_HISTOGRAM_LAYER_GLSL
#define WEIR_HISTOGRAM_LAYER_GLSL

#include "weir_subgroup.glsl"

// Counts the items of a workgroup per bin, in workgroup memory:
//
//     WEIR_HISTOGRAM(name, BINS, COPIES)
//         void name_clear()             sets all counters to 0; collective
//         void name_count(uint bin)     adds 1 to the bin; ignored if bin >= BINS
//         uint name_total(uint bin)     returns the count of the whole workgroup; bin < BINS
//
// The caller must add a barrier between these steps. Each bin has COPIES adjacent counters, so that neighboring invocations use different
// words and banks. Use 1 copy if bins are random, up to the subgroup size if many items share a bin. Uses BINS * COPIES words of workgroup
// memory.

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
