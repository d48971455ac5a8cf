#pragma once

#include <array>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <weir/weir.hpp>

#include "common/files.hpp"
#include "common/options.hpp"

namespace samples {

/// Adds the options --graph, --plan and --trace.
void add_plan_options(CLI::App& app, PlanOptions& options);

/// Returns the files that these options name.
std::vector<NamedFile> plan_files(const PlanOptions& options);

/// Contents of these files, in the order of `plan_files`.
using PlanTexts = std::array<std::string, 3>;

/// Returns contents without any pass.
PlanTexts no_plan();

/// Returns the contents for a program whose imports are bound. Executes it once more to obtain the trace. `picture`
/// holds the drawing options for --graph.
weir::Result<PlanTexts> plan_texts(weir::Program& program, const PlanOptions& options,
                                   const weir::DotOptions& picture = {});

} // namespace samples
