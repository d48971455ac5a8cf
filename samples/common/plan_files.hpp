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

/// The files that these options name.
std::vector<NamedFile> plan_files(const PlanOptions& options);

/// What such files hold, in the order of `plan_files`.
using PlanTexts = std::array<std::string, 3>;

/// Of nothing.
PlanTexts no_plan();

/// Of a program whose imports are bound. It is executed once more for a trace. `picture` has the options of the
/// picture that --graph writes.
weir::Result<PlanTexts> plan_texts(weir::Program& program, const PlanOptions& options,
                                   const weir::DotOptions& picture = {});

} // namespace samples
