#include "radix_sort/options.hpp"

#include "common/command_line.hpp"

namespace samples {

namespace {

/// FROM:TO
bool parse_bits(const std::string& text, Options& options) {
    const auto colon = text.find(':');
    return colon != std::string::npos && parse_number(text.substr(0, colon), options.first_bit) &&
           parse_number(text.substr(colon + 1), options.end_bit) && options.first_bit <= options.end_bit &&
           options.end_bit <= 32;
}

} // namespace

CommandLine parse_command_line(int argc, char** argv) {
    CommandLine line;
    Options& options = line.options;
    std::string n, bits, seed;
    CLI::App app("Sorts 32-bit unsigned numbers on a Vulkan device and checks the result.", "radix_sort");
    app.add_option("--n", n, "How many random keys, as 1000000 or 2^20. Default: 2^24 on a GPU, 2^20 on a CPU");
    app.add_option("--input", options.input, "Sorts the bytes of this file, as little-endian 32-bit words")
        ->type_name("FILE");
    app.add_option("--output", options.output,
                   "Writes the sorted keys to this file, and the values, if any, to FILE.values")
        ->type_name("FILE");
    app.add_flag("--values", options.values, "Moves a value along with each key: its place in the input");
    app.add_flag("--descending", options.descending, "Largest key first");
    app.add_option("--bits", bits, "Compares bits FROM <= b < TO only. Default: 0:32")->type_name("FROM:TO");
    app.add_option("--repeat", options.repeat,
                   "Timed sorts, of which the median is reported. Default: 20 on a GPU, 3 on a CPU")
        ->check(CLI::Range(1U, 1000U));
    app.add_option("--seed", seed, "Of the random keys. Default: 1");
    app.add_option("--device", options.device,
                   "Index, part of the name, or kind of the device. Default: WEIR_DEVICE, or the best");
    app.add_flag("--list-devices", options.list_devices, "Lists the devices and ends");
    app.add_flag("--json", options.json, "Prints the report as one JSON object");
    app.add_option("--graph", options.graph, "Writes the plan of the sort to this file, for Graphviz")
        ->type_name("FILE");
    line.exit_code = parse(app, argc, argv);
    if (line.exit_code) {
        return line;
    }
    const auto refused = [&](const std::string& why) {
        line.exit_code = refuse(app, why);
        return line;
    };
    if (!n.empty()) {
        std::uint64_t count = 0;
        if (!parse_count(n, count)) {
            return refused("--n takes a number such as 1000000 or 2^20, not '" + n + "'");
        }
        options.n = count;
    }
    if (!bits.empty() && !parse_bits(bits, options)) {
        return refused("--bits takes FROM:TO with 0 <= FROM <= TO <= 32, not '" + bits + "'");
    }
    if (!seed.empty() && !parse_number(seed, options.seed)) {
        return refused("--seed takes a number from 0 to 2^64 - 1, not '" + seed + "'");
    }
    if (!options.input.empty() && (options.n || !seed.empty())) {
        return refused("--input excludes --n and --seed");
    }
    if (!options.output.empty() && (options.graph == options.output || options.graph == options.output + ".values")) {
        return refused("--output and --graph name the same file");
    }
    return line;
}

} // namespace samples
