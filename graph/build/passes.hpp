#pragma once

#include <string>

#include <weir/graph/description.hpp>

// Passes are added to a graph by these functions, after Graph has checked them. Passes run under the conditions of all
// open scopes. Where one of these is a count on the GPU, dispatches become indirect, and copies and fills dispatches.

namespace weir {

/// `spread`: of a dispatch by elements that has become indirect before.
void append_pass(GraphDescription& graph, Pass pass, GraphDescription::Spread spread = {});
void append_fill(GraphDescription& graph, std::string name, BufferId buffer, const GraphDescription::Fill& fill);
void append_copy(GraphDescription& graph, std::string name, BufferId source, BufferId destination,
                 const GraphDescription::Copy& copy);
void append_update(GraphDescription& graph, std::string name, const GraphDescription::Update& update,
                   BufferId destination);
/// Of an image work the resource that is read, unless it is a clear, and the one that is written.
void append_image_work(GraphDescription& graph, std::string name, const GraphDescription::ImageWork& work,
                       ResourceId source, ResourceId destination);
void append_command_pass(GraphDescription& graph, CommandPass pass);
/// A pass that has its name, work and uses.
void append(GraphDescription& graph, GraphDescription::PassNode node);

} // namespace weir
