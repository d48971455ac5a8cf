#include "word_count/options.hpp"

#include <limits>

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
    add_count(app, "--top", options.top, {1, std::numeric_limits<std::uint32_t>::max()},
              "List only the N most frequent words")
        ->default_str("all words");
    add_count(app, "--bits", options.bits, {0, Fingerprints::max_bits},
              "Bits of a word's fingerprint. Fewer bits are faster to sort, but two words share a fingerprint "
              "more often; the count is then repeated with other fingerprints");
    add_device_options(app, options);
    app.add_flag("--json", options.json, "Print one JSON object with the list and the time");
    add_plan_options(app, options);
    line.exit_code = parse(app, argc, argv, [&]() -> std::string {
        if (options.files.empty() && !options.list_devices) {
            return "FILE is missing";
        }
        std::vector<NamedFile> read;
        for (const std::string& file : options.files) {
            read.push_back({"FILE", file});
        }
        return files_mistake(read, plan_files(options));
    });
    return line;
}

} // namespace samples
