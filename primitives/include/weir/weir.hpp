#pragma once

/// Includes all public headers of the engine, the graph and the primitives except <weir/engine/vma.hpp>.

#if (defined(_MSVC_LANG) ? _MSVC_LANG : __cplusplus) < 202002L
#error "Weir requires C++20: compile with -std=c++20 or later"
#else

#include <weir/engine/context.hpp>
#include <weir/engine/timestamps.hpp>
#include <weir/graph/arguments.hpp>
#include <weir/graph/call.hpp>
#include <weir/graph/command_pass.hpp>
#include <weir/graph/commands.hpp>
#include <weir/graph/compile_ahead.hpp>
#include <weir/graph/graph.hpp>
#include <weir/graph/program.hpp>
#include <weir/primitives/adjacent_difference.hpp>
#include <weir/primitives/calls.hpp>
#include <weir/primitives/copy_ranges.hpp>
#include <weir/primitives/expand.hpp>
#include <weir/primitives/extremum.hpp>
#include <weir/primitives/extremum_by_segment.hpp>
#include <weir/primitives/fill.hpp>
#include <weir/primitives/find.hpp>
#include <weir/primitives/gather.hpp>
#include <weir/primitives/histogram.hpp>
#include <weir/primitives/merge.hpp>
#include <weir/primitives/merge_sort.hpp>
#include <weir/primitives/narrow.hpp>
#include <weir/primitives/partition.hpp>
#include <weir/primitives/radix_sort.hpp>
#include <weir/primitives/read_texels.hpp>
#include <weir/primitives/reduce.hpp>
#include <weir/primitives/reduce_by_key.hpp>
#include <weir/primitives/reduce_by_segment.hpp>
#include <weir/primitives/run_length.hpp>
#include <weir/primitives/run_length_decode.hpp>
#include <weir/primitives/scan.hpp>
#include <weir/primitives/scan_columns.hpp>
#include <weir/primitives/search.hpp>
#include <weir/primitives/segmented_sort.hpp>
#include <weir/primitives/segmented_top_k.hpp>
#include <weir/primitives/select.hpp>
#include <weir/primitives/set_operations.hpp>
#include <weir/primitives/shuffle.hpp>
#include <weir/primitives/tile_states.hpp>
#include <weir/primitives/top_k.hpp>
#include <weir/primitives/transform.hpp>
#include <weir/primitives/unique.hpp>
#include <weir/primitives/workgroup_scan.hpp>

#endif
