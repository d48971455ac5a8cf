#include "recurrence/options.hpp"

#include <vector>

#include "common/command_line.hpp"
#include "common/files.hpp"
#include "recurrence/recurrences.hpp"

namespace samples {

CommandLine<Options> parse_command_line(int argc, char** argv) {
    CommandLine<Options> line;
    Options& options = line.options;
    std::optional<double> k;
    std::string footer = "Recurrences:\n";
    std::vector<std::string> names;
    for (const Recurrence& recurrence : recurrences()) {
        footer += "  " + recurrence.name + std::string(12 - recurrence.name.size(), ' ') + recurrence.formula + "\n";
        names.push_back(recurrence.name);
    }
    CLI::App app("Computes a recurrence as a scan on a Vulkan device and compares it with the sequential loop.",
                 "recurrence");
    app.footer(footer);
    app.add_option("NAME", options.recurrence, "Recurrence to compute, one of those below")
        ->check(CLI::IsMember(names))
        ->capture_default_str();
    add_option(
        app, "--k", "K", "a number", [&](const std::string& text) { return parse_number(text, k.emplace()); },
        "Parameter k of the formula")
        ->default_str(number_text(find_recurrence(options.recurrence).usual_k));
    add_file(app, "--input", options.input, "Take x from this CSV file, whose first line names the columns");
    app.add_option("--column", options.column, "Column of --input that contains x")
        ->option_text("NAME")
        ->default_str("none");
    app.add_option("--group", options.group, "Column of --input where the recurrence restarts if its value changes")
        ->option_text("NAME")
        ->default_str("none");
    const auto* n = add_count(app, "--n", options.n, {0, 1U << 26}, "Number of random elements, in four groups");
    const auto* seed = add_seed(app, options.seed, "the random elements");
    add_file(app, "--output", options.output, "Write x and y, with groups counted from 0, to this CSV file");
    add_file(app, "--plot", options.plot, "Draw x, y and the sequential loop's y into this SVG file");
    add_device_options(app, options);
    line.exit_code = parse(app, argc, argv, [&]() -> std::string {
        const Recurrence& recurrence = find_recurrence(options.recurrence);
        options.k = k.value_or(recurrence.usual_k);
        if (k && recurrence.usual_k == 0) {
            return recurrence.name + " has no k";
        }
        if (!(options.k >= recurrence.least_k && options.k <= recurrence.most_k)) {
            return recurrence.name + ": --k must be from " + std::to_string(recurrence.least_k) + " to " +
                   std::to_string(recurrence.most_k);
        }
        if (!options.input.empty() && (n->count() != 0 || seed->count() != 0)) {
            return "--input excludes --n and --seed";
        }
        if (!recurrence.takes_input && !options.input.empty()) {
            return recurrence.name + " takes no input";
        }
        if (options.input.empty() != options.column.empty()) {
            return "--input and --column must be used together";
        }
        if (!options.group.empty() && options.input.empty()) {
            return "--group needs --input";
        }
        return files_mistake({{"--input", options.input}},
                             {{"--output", options.output, csv_format}, {"--plot", options.plot, svg_format}});
    });
    return line;
}

} // namespace samples
