#include <algorithm>
#include <cstdio>
#include <iterator>

#include <nlohmann/json.hpp>

#include "common/files.hpp"
#include "common/program.hpp"
#include "common/propagate.hpp"
#include "word_count/counting.hpp"
#include "word_count/options.hpp"
#include "word_count/text.hpp"
#include "word_count/word_graph.hpp"

namespace samples {

namespace {

using weir::Result;

std::string spelling(const Word& word, const std::string& text) {
    std::string letters = text.substr(word.start, word.length);
    std::transform(letters.begin(), letters.end(), letters.begin(), lower);
    return letters;
}

void report(const Options& options, const weir::Capabilities& device, const std::string& text, const Counted& counted) {
    if (!options.json) {
        for (const Word& word : counted.list) {
            std::printf("%u\t%s\n", word.count, spelling(word, text).c_str());
        }
        return;
    }
    auto list = nlohmann::json::array();
    for (const Word& word : counted.list) {
        list.push_back({{"count", word.count}, {"word", spelling(word, text)}});
    }
    const nlohmann::json object = {{"device", device.device_name},
                                   {"driver", device.driver},
                                   {"words", counted.words},
                                   {"different_words", counted.different},
                                   {"attempts", counted.attempts},
                                   {"gpu_ms", counted.gpu_ms.value_or(0)},
                                   {"list", list}};
    std::printf("%s\n", object.dump(2).c_str());
}

Result<> run(const Options& options) {
    const auto gpu = weir::Context::create({.device = options.device});
    SAMPLES_PROPAGATE(gpu);
    const auto text = read_text(options.files, most_text(gpu->capabilities()));
    SAMPLES_PROPAGATE(text);
    auto files = create_files({options.graph, options.plan, options.trace});
    SAMPLES_PROPAGATE(files);
    const auto counted = count_words(*gpu, *text, options);
    SAMPLES_PROPAGATE(counted);
    for (std::size_t i = 0; i < files->size(); ++i) {
        if (auto& file = (*files)[i]) {
            SAMPLES_PROPAGATE(file->write(counted->plan.at(i)));
        }
    }
    SAMPLES_PROPAGATE(keep_files(*files));
    report(options, gpu->capabilities(), *text, *counted);
    return {};
}

} // namespace

} // namespace samples

int main(int argc, char** argv) {
    return samples::run_sample("word_count", samples::parse_command_line(argc, argv), samples::run);
}
