#include "word_count/options.hpp"

#include "common/command_line.hpp"
#include "common/files.hpp"
#include "common/plan_files.hpp"
#include "word_count/word_graph.hpp"

namespace samples {

CommandLine<Options> parse_command_line(int argc, char** argv) {
    CommandLine<Options> line;
    Options& options = line.options;
    CLI::App app("Lists the words of text files with how often each occurs, most frequent first, counted on a Vulkan "
                 "device. Words are runs of ASCII letters; upper and lower case are the same.",
                 "word_count");
    app.add_option("FILE", options.files, "Text files, read as one text");
    app.add_option("--top", options.top, "Lists only this many words. Default: all")->check(CLI::Range(1U, ~0U));
    app.add_option(
           "--bits", options.bits,
           "Bits of a word's fingerprint. Fewer are faster to sort, but then two words more often have the same "
           "fingerprint, and the work is repeated with other fingerprints. Default: 48")
        ->check(CLI::Range(0U, Fingerprints::max_bits));
    add_device_options(app, options);
    app.add_flag("--json", options.json, "Prints one JSON object with the list and the time");
    add_plan_options(app, options);
    line.exit_code = parse(app, argc, argv, [&]() -> std::string {
        if (options.files.empty() && !options.list_devices) {
            return "no FILE is given";
        }
        std::vector<NamedFile> read;
        for (const std::string& file : options.files) {
            read.push_back({"FILE", file});
        }
        return files_clash(read, plan_files(options));
    });
    return line;
}

} // namespace samples
