#include "common/plan_files.hpp"

namespace samples {

void add_plan_options(CLI::App& app, PlanOptions& options) {
    app.add_option("--graph", options.graph, "Writes the plan of the passes to this file, for Graphviz")
        ->type_name("FILE");
    app.add_option("--plan", options.plan, "Writes the plan to this file, as JSON")->type_name("FILE");
    app.add_option("--trace", options.trace, "Writes the GPU time of each pass to this file, for Perfetto")
        ->type_name("FILE");
}

std::vector<NamedFile> plan_files(const PlanOptions& options) {
    return {{"--graph", options.graph}, {"--plan", options.plan}, {"--trace", options.trace}};
}

PlanTexts no_plan() {
    return {"digraph weir {}\n", "{}\n", "{\"traceEvents\": []}\n"};
}

weir::Result<PlanTexts> plan_texts(weir::Program& program, const PlanOptions& options) {
    PlanTexts texts{program.plan().dot(), program.plan().json(), {}};
    if (options.trace.empty()) {
        return texts;
    }
    return program.profile().map([&](const weir::Profile& profile) {
        texts[2] = profile.trace();
        return texts;
    });
}

} // namespace samples
