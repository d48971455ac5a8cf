#include "common/plan_files.hpp"

namespace samples {

void add_plan_options(CLI::App& app, PlanOptions& options) {
    app.add_option("--graph", options.graph, "Writes the plan of the passes to this file, for Graphviz")
        ->type_name("FILE");
    app.add_option("--plan", options.plan, "Writes all of the plan to this file, as JSON")->type_name("FILE");
    app.add_option("--trace", options.trace, "Writes what each pass took on the device to this file, for Perfetto")
        ->type_name("FILE");
}

std::string plan_options_clash(const PlanOptions& options) {
    const auto paths = options.paths();
    const std::array names{"--graph", "--plan", "--trace"};
    for (std::size_t i = 0; i < paths.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (!paths[i].empty() && paths[i] == paths[j]) {
                return std::string(names.at(j)) + " and " + names.at(i) + " name the same file";
            }
        }
    }
    return {};
}

PlanTexts no_plan() {
    return {"digraph weir {}\n", "{}\n", "{\"traceEvents\": []}\n"};
}

weir::Result<PlanTexts> plan_texts(weir::Program& program, const PlanOptions& options) {
    const weir::GraphDescription& graph = program.description();
    PlanTexts texts{program.plan().dot(graph), program.plan().json(graph), {}};
    if (options.trace.empty()) {
        return texts;
    }
    return program.profile().map([&](const weir::Profile& profile) {
        texts[2] = profile.trace(graph);
        return texts;
    });
}

} // namespace samples
