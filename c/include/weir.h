#ifndef WEIR_H
#define WEIR_H

/// @file
/// C99 interface of Weir: GPU parallel primitives for Vulkan, as passes of a compiled graph. The library is libweir_c.
/// The C++ headers <weir/primitives/*.hpp> document each primitive in full.

#include <weir/c/base.h>
#include <weir/c/call.h>
#include <weir/c/commands.h>
#include <weir/c/compact.h>
#include <weir/c/context.h>
#include <weir/c/elementwise.h>
#include <weir/c/graph.h>
#include <weir/c/program.h>
#include <weir/c/scan.h>
#include <weir/c/search.h>
#include <weir/c/sort.h>

#endif
