#pragma once

#include <array>
#include <string>

#include <CLI/CLI.hpp>
#include <weir/weir.hpp>

#include "common/options.hpp"

namespace samples {

/// The options --graph, --plan and --trace.
void add_plan_options(CLI::App& app, PlanOptions& options);

/// Which of these options names the same file as another of them, if any: for a message.
std::string plan_options_clash(const PlanOptions& options);

/// What such files hold, in the order of PlanOptions::paths.
using PlanTexts = std::array<std::string, 3>;

/// Of nothing.
PlanTexts no_plan();

/// Of a program whose imports are bound. It is executed once more for a trace.
weir::Result<PlanTexts> plan_texts(weir::Program& program, const PlanOptions& options);

} // namespace samples
