#include "recurrence/options.hpp"

#include <vector>

#include "common/command_line.hpp"
#include "recurrence/recurrences.hpp"

namespace samples {

CommandLine parse_command_line(int argc, char** argv) {
    CommandLine line;
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
    app.add_option("NAME", options.recurrence, "Which recurrence, of those below. Default: average")
        ->check(CLI::IsMember(names));
    app.add_option("--k", k, "The k of its formula. Default: 0.1");
    app.add_option("--input", options.input, "Takes x from this CSV file, whose first line names the columns")
        ->type_name("FILE");
    app.add_option("--column", options.column, "The column that is x")->type_name("NAME");
    app.add_option("--group", options.group, "The recurrence starts anew where this column changes")->type_name("NAME");
    auto* n = app.add_option("--n", options.n, "Makes up so many elements, in four groups. Default: 65536")
                  ->check(CLI::Range(0U, 1U << 26));
    auto* seed = app.add_option("--seed", options.seed, "Of what is made up. Default: 1");
    app.add_option("--output", options.output, "Writes x and y, with groups counted from 0, to this CSV file")
        ->type_name("FILE");
    app.add_option("--plot", options.plot, "Draws x, y and the sequential loop's y into this SVG file")
        ->type_name("FILE");
    app.add_option("--device", options.device,
                   "Index, part of the name, or kind of the device. Default: WEIR_DEVICE, or the best");
    app.add_flag("--list-devices", options.list_devices, "Lists the devices and ends");
    line.exit_code = parse(app, argc, argv);
    if (line.exit_code) {
        return line;
    }
    const auto refused = [&](const std::string& why) {
        line.exit_code = refuse(app, why);
        return line;
    };
    const Recurrence& recurrence = find_recurrence(options.recurrence);
    options.k = k.value_or(recurrence.usual_k);
    if (k && recurrence.usual_k == 0) {
        return refused(recurrence.name + " has no k");
    }
    if (!(options.k >= recurrence.least_k && options.k <= recurrence.most_k)) {
        return refused(recurrence.name + " takes a k from " + std::to_string(recurrence.least_k) + " to " +
                       std::to_string(recurrence.most_k));
    }
    if (!options.input.empty() && (n->count() != 0 || seed->count() != 0)) {
        return refused("--input excludes --n and --seed");
    }
    if (!recurrence.takes_input && !options.input.empty()) {
        return refused(recurrence.name + " takes no input");
    }
    if (options.input.empty() != options.column.empty()) {
        return refused("--input and --column go together");
    }
    if (!options.group.empty() && options.input.empty()) {
        return refused("--group names a column of --input");
    }
    if (!options.output.empty() && options.output == options.plot) {
        return refused("--output and --plot name the same file");
    }
    return line;
}

} // namespace samples
