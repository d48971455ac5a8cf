#include "radix_sort/options.hpp"

#include "common/command_line.hpp"
#include "common/files.hpp"
#include "common/plan_files.hpp"

namespace samples {

namespace {

/// Parses FROM:TO.
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
    constexpr std::uint64_t most_keys = std::uint64_t{1} << 40;
    add_count(app, "--n", options.n, {0, most_keys}, "Number of random keys")
        ->default_str("2^24 on a GPU, 2^20 on a CPU");
    const std::string types = "u8, i8, u16, i16, f16, u32, i32, f32, u64, i64 or f64";
    add_option(
        app, "--type", "TYPE", types, [&](const std::string& text) { return parse_type(text, options.type); },
        "Type of the keys: " + types)
        ->default_str("u32");
    add_file(app, "--input", options.input, "Sort the bytes of this file, as little-endian numbers");
    add_file(app, "--output", options.output,
             "Write the sorted keys to this file, and the values of --values to FILE.values");
    app.add_flag("--text", options.text, "Read numbers separated by white space and write one number per line");
    app.add_flag("--argsort", options.argsort, "Write the indices of the sorted keys, as u32, instead of the keys");
    app.add_flag("--values", options.values, "Sort a value along with each key: its index in the input");
    app.add_flag("--descending", options.descending, "Sort the largest key first");
    add_count(app, "--top-k", options.top_k, {0, most_keys},
              "Select the N keys that come first, without sorting the others")
        ->default_str("all keys, sorted");
    const auto* bits =
        add_option(
            app, "--bits", "FROM:TO", "FROM:TO", [&](const std::string& text) { return parse_bits(text, options); },
            "Compare only bits FROM <= b < TO")
            ->default_str("all bits");
    add_count(app, "--repeat", options.repeat, {1, 1000}, "Number of timed sorts; the median is reported")
        ->default_str("20 on a GPU, 3 on a CPU");
    const auto* seed = add_seed(app, options.seed, "the random keys");
    add_device_options(app, options);
    app.add_flag("--json", options.json, "Print the report as one JSON object");
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
        return files_mistake({{"--input", options.input}}, written);
    });
    return line;
}

} // namespace samples
