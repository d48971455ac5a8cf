#ifndef WEIR_RADIX_ROUTE_GLSL
#define WEIR_RADIX_ROUTE_GLSL

// Which way a pass of a radix sort moves the keys: from the source, or a buffer between, or the target, to one of the latter two. The
// histogram decides, as a pass whose digit is the same for all keys has nothing to do.

const uint MAX_PASSES = 8;

const uint FROM_SOURCE = 0; // what the first pass reads
const uint FROM_BETWEEN = 1;
const uint FROM_TARGET = 2;

const uint ROUTE_FROM = 3;    // these bits: one of the above
const uint ROUTE_TARGET = 4;  // this one: to the target
const uint ROUTE_LAST = 8;    // it is the last pass that moves them
const uint ROUTE_SKIPPED = 16;

#endif
