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
    app.add_option("NAME", options.recurrence, "One of the recurrences below. Default: average")
        ->check(CLI::IsMember(names));
    app.add_option("--k", k, "The k of its formula. Default: 0.1");
    app.add_option("--input", options.input, "Takes x from this CSV file, whose first line names the columns")
        ->type_name("FILE");
    app.add_option("--column", options.column, "The column that is x")->type_name("NAME");
    app.add_option("--group", options.group, "The recurrence restarts where this column changes")->type_name("NAME");
    const auto* n = app.add_option("--n", options.n, "Number of random elements, in four groups. Default: 65536")
                        ->check(CLI::Range(0U, 1U << 26));
    const auto* seed = add_seed(app, options.seed, "the random elements");
    app.add_option("--output", options.output, "Writes x and y, with groups counted from 0, to this CSV file")
        ->type_name("FILE");
    app.add_option("--plot", options.plot, "Draws x, y and the sequential loop's y into this SVG file")
        ->type_name("FILE");
    add_device_options(app, options);
    line.exit_code = parse(app, argc, argv, [&]() -> std::string {
        const Recurrence& recurrence = find_recurrence(options.recurrence);
        options.k = k.value_or(recurrence.usual_k);
        if (k && recurrence.usual_k == 0) {
            return recurrence.name + " has no k";
        }
        if (!(options.k >= recurrence.least_k && options.k <= recurrence.most_k)) {
            return recurrence.name + " takes a k from " + std::to_string(recurrence.least_k) + " to " +
                   std::to_string(recurrence.most_k);
        }
        if (!options.input.empty() && (n->count() != 0 || seed->count() != 0)) {
            return "--input excludes --n and --seed";
        }
        if (!recurrence.takes_input && !options.input.empty()) {
            return recurrence.name + " takes no input";
        }
        if (options.input.empty() != options.column.empty()) {
            return "--input and --column go together";
        }
        if (!options.group.empty() && options.input.empty()) {
            return "--group names a column of --input";
        }
        return files_clash({{"--input", options.input}}, {{"--output", options.output}, {"--plot", options.plot}});
    });
    return line;
}

} // namespace samples
