#include "radix_sort/options.hpp"

#include "common/command_line.hpp"
#include "common/files.hpp"
#include "common/plan_files.hpp"

namespace samples {

namespace {

/// FROM:TO
bool parse_bits(const std::string& text, Options& options) {
    const auto colon = text.find(':');
    return colon != std::string::npos && parse_number(text.substr(0, colon), options.first_bit) &&
           parse_number(text.substr(colon + 1), options.end_bit);
}

} // namespace

CommandLine<Options> parse_command_line(int argc, char** argv) {
    CommandLine<Options> line;
    Options& options = line.options;
    CLI::App app("Sorts numbers on a Vulkan device and checks the result.", "radix_sort");
    add_option(
        app, "--n", "a number such as 1000000 or 2^20",
        [&](const std::string& text) { return parse_count(text, options.n.emplace()); },
        "Number of random keys, as 1000000 or 2^20. Default: 2^24 on a GPU, 2^20 on a CPU");
    add_option(
        app, "--type", "u8, i8, u16, i16, f16, u32, i32, f32, u64, i64 or f64",
        [&](const std::string& text) { return parse_type(text, options.type); },
        "Type of the keys: u8, i8, u16, i16, f16, u32, i32, f32, u64, i64 or f64. Default: u32")
        ->type_name("TYPE");
    app.add_option("--input", options.input, "Sorts the bytes of this file, as little-endian numbers")
        ->type_name("FILE");
    app.add_option("--output", options.output,
                   "Writes the sorted keys to this file, and the values, if any, to FILE.values")
        ->type_name("FILE");
    app.add_flag("--text", options.text, "Files are text: numbers between white space, or one per line");
    app.add_flag("--argsort", options.argsort, "Writes the indices of the sorted keys, as u32, instead of the keys");
    app.add_flag("--values", options.values, "Moves a value along with each key: its index in the input");
    app.add_flag("--descending", options.descending, "Largest key first");
    add_option(
        app, "--top-k", "a number such as 100 or 2^10",
        [&](const std::string& text) { return parse_count(text, options.top_k.emplace()); },
        "Chooses the K keys that come first, without a sort of the others")
        ->type_name("K");
    const auto* bits = add_option(
                           app, "--bits", "FROM:TO", [&](const std::string& text) { return parse_bits(text, options); },
                           "Compares bits FROM <= b < TO only. Default: all")
                           ->type_name("FROM:TO");
    app.add_option("--repeat", options.repeat,
                   "Timed sorts, of which the median is reported. Default: 20 on a GPU, 3 on a CPU")
        ->check(CLI::Range(1U, 1000U));
    const auto* seed = add_seed(app, options.seed, "the random keys");
    add_device_options(app, options);
    app.add_flag("--json", options.json, "Prints the report as one JSON object");
    add_plan_options(app, options);
    line.exit_code = parse(app, argc, argv, [&]() -> std::string {
        if (!options.input.empty() && (options.n || seed->count() != 0)) {
            return "--input excludes --n and --seed";
        }
        if (options.argsort && options.values) {
            return "--argsort excludes --values";
        }
        if (options.top_k && bits->count() != 0) {
            return "--top-k excludes --bits";
        }
        if (options.top_k && bytes_of(options.type) < 4) {
            return "--top-k excludes keys of 8 and 16 bits";
        }
        const std::uint32_t key_bits = 8 * bytes_of(options.type);
        if (bits->count() == 0) {
            options.end_bit = key_bits;
        }
        if (options.first_bit > options.end_bit || options.end_bit > key_bits) {
            return "--bits takes FROM:TO with 0 <= FROM <= TO <= " + std::to_string(key_bits);
        }
        std::vector<NamedFile> written = plan_files(options);
        written.insert(written.begin(),
                       {{"--output", options.output}, {"FILE.values of --output", options.values_output()}});
        return files_clash({{"--input", options.input}}, written);
    });
    return line;
}

} // namespace samples
