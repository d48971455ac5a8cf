#ifndef WEIR_INSTRUMENT_PUSH_GLSL
#define WEIR_INSTRUMENT_PUSH_GLSL

// What instrument.glsl wants to know.
#define INSTRUMENT_PUSH                                                                                                          \
    uint fault_one_in; /* 0: no faults */                                                                                        \
    uint fault_kind;                                                                                                             \
    uint fault_seed;   /* 0: every one_in-th tile; else tiles drawn anew in each run */                                          \
    uint is_counted;   /* 0: there are no counters */

#endif
