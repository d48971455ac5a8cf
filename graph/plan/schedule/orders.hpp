#pragma once

#include <cstdint>
#include <vector>

#include "graph/plan/pass_group.hpp"
#include "graph/plan/schedule/pass_graph.hpp"
#include "graph/plan/schedule/transient_use.hpp"

// Orders of the passes of a graph. Each pass comes after all passes on which it depends.

namespace weir {

/// Returns the passes in the order of declaration. A pass that depends on a later one follows it.
std::vector<std::uint32_t> declared_order(const PassGraph& passes);

/// Returns an order in which each next pass adds the fewest bytes to those that are alive after it.
std::vector<std::uint32_t> frugal_order(const PassGraph& passes, const TransientUse& use);

/// Returns an order in which passes directly follow those that they need: a depth-first search from the last passes. Of
/// the passes that a pass needs, those come first that need most memory beyond what they leave (Sethi and Ullman).
std::vector<std::uint32_t> depth_first_order(const PassGraph& passes, const TransientUse& use);

/// Returns the maximum number of bytes that are alive if the passes run in this order, each in a group of its own.
std::uint64_t max_alive(const TransientUse& use, const std::vector<std::uint32_t>& order);

/// Divides an order into groups. A pass joins the last group of its queue if it depends on none of its passes, nothing
/// waits for a semaphore, and no more than `max_bytes` bytes are then alive.
std::vector<PassGroup> group_in_order(const PassGraph& passes, const TransientUse& use,
                                      const std::vector<std::uint32_t>& order, std::uint64_t max_bytes);

/// Divides passes of one queue into groups, by the longest chain of passes that ends before them.
std::vector<PassGroup> group_by_depth(const PassGraph& passes);

/// Divides the passes into groups. Each pass is as early as its dependencies allow, with these exceptions:
/// - Passes that lead to a semaphore for another queue come first. The others run after it is signaled, or while their
///   queue would wait for another queue.
/// - On the main queue, a pass that waits for another queue comes after passes that do not, unless a longer chain of
///   passes begins with it.
/// - A pass runs before its place in `reference` only if no more than `max_bytes` bytes are then alive, now and in the
///   rest of `reference`.
std::vector<PassGroup> group_early(const PassGraph& passes, const TransientUse& use,
                                   const std::vector<std::uint32_t>& reference, std::uint64_t max_bytes);

} // namespace weir
