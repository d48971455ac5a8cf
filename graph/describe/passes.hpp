#pragma once

#include <string>

#include <weir/graph/description.hpp>

// Functions that add passes to a graph after Graph has checked them. Passes run under the conditions of all open
// scopes. If one of these is a count on the GPU, dispatches become indirect, and copies and fills become dispatches.

namespace weir {

/// Adds a compute pass. `spread` is that of a dispatch by elements that has already become indirect.
void append_pass(GraphDescription& graph, Pass pass, GraphDescription::Spread spread = {});
void append_fill(GraphDescription& graph, std::string name, BufferId buffer, const GraphDescription::Fill& fill);
void append_copy(GraphDescription& graph, std::string name, BufferId source, BufferId destination,
                 const GraphDescription::Copy& copy);
void append_update(GraphDescription& graph, std::string name, const GraphDescription::Update& update,
                   BufferId destination);
/// Adds image work. `source` is the resource that is read, not valid for a clear; `destination` is the one that is
/// written.
void append_image_work(GraphDescription& graph, std::string name, const GraphDescription::ImageWork& work,
                       ResourceId source, ResourceId destination);
void append_command_pass(GraphDescription& graph, CommandPass pass);
/// Adds a pass whose name, work and uses are set.
void append(GraphDescription& graph, GraphDescription::PassNode node);

} // namespace weir
