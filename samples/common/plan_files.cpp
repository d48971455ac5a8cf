#include "common/plan_files.hpp"

#include "common/command_line.hpp"

namespace samples {

void add_plan_options(CLI::App& app, PlanOptions& options) {
    add_file(app, "--graph", options.graph, "Write the plan of the passes to this Graphviz file");
    add_file(app, "--plan", options.plan, "Write the plan to this JSON file");
    add_file(app, "--trace", options.trace, "Write the GPU time of each pass to this JSON file, for Perfetto");
}

std::vector<NamedFile> plan_files(const PlanOptions& options) {
    return {{"--graph", options.graph, graphviz_format},
            {"--plan", options.plan, json_format},
            {"--trace", options.trace, json_format}};
}

PlanTexts no_plan() {
    return {"digraph weir {}\n", "{}\n", "{\"traceEvents\": []}\n"};
}

weir::Result<PlanTexts> plan_texts(weir::Program& program, const PlanOptions& options,
                                   const weir::DotOptions& picture) {
    PlanTexts texts{program.plan().dot(picture), program.plan().json(), {}};
    if (options.trace.empty()) {
        return texts;
    }
    return program.profile().map([&](const weir::Profile& profile) {
        texts[2] = profile.trace();
        return texts;
    });
}

} // namespace samples
