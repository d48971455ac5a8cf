#include <cstdio>
#include <string_view>

#include <nlohmann/json.hpp>

#include "common/copy.hpp"
#include "common/files.hpp"
#include "common/program.hpp"
#include "common/words.hpp"
#include "radix_sort/options.hpp"
#include "radix_sort/sorting.hpp"

namespace samples {

namespace {

using weir::Result;

Result<Words> get_keys(const Options& options, const weir::Capabilities& device) {
    const std::uint64_t most = most_copied_words(device);
    const std::uint32_t key_words = words_of(options.type);
    if (!options.input.empty() && options.text) {
        return read_numbers(options.input, options.type, most);
    }
    if (!options.input.empty()) {
        auto words = read_words(options.input, most);
        if (words && words->size() % key_words != 0) {
            return io_error(options.input, "has " + std::to_string(words->size()) +
                                               " words, which is no whole number of " + to_string(options.type));
        }
        return words;
    }
    const std::uint64_t n = options.n.value_or(device.kind == weir::DeviceKind::cpu ? 1U << 20 : 1U << 24);
    if (n > most / key_words) {
        return tl::unexpected(weir::Error{weir::ErrorCode::limit_exceeded,
                                          std::to_string(n) + " keys are too many; the device binds at most " +
                                              std::to_string(most / key_words) + " (maxStorageBufferRange)"});
    }
    return random_words(n * key_words, options.seed);
}

std::string_view bytes_of(const Words& words) {
    return {reinterpret_cast<const char*>(words.data()), words.size() * sizeof(std::uint32_t)};
}

void report(const Options& options, const weir::Capabilities& device, std::size_t n, const Sorted& sorted) {
    std::string wanted;
    if (options.top_k) {
        wanted = ", the first " + std::to_string(*options.top_k);
    }
    const double items_per_s = sorted.gpu_ms > 0 ? static_cast<double>(n) / (sorted.gpu_ms * 1e-3) : 0;
    const double ratio_to_copy = sorted.gpu_ms > 0 ? sorted.copy_ms / sorted.gpu_ms : 0;
    if (options.json) {
        nlohmann::json object = {{"device", device.device_name},
                                 {"driver", device.driver},
                                 {"type", to_string(options.type)},
                                 {"n", n},
                                 {"values", options.values},
                                 {"argsort", options.argsort},
                                 {"descending", options.descending},
                                 {"bits", {options.first_bit, options.end_bit}},
                                 {"gpu_ms", sorted.gpu_ms},
                                 {"items_per_s", items_per_s},
                                 {"ratio_to_copy", ratio_to_copy},
                                 {"scratch_bytes", sorted.scratch},
                                 {"verified", true}};
        if (options.top_k) {
            object["top_k"] = *options.top_k;
        }
        std::printf("%s\n", object.dump(2).c_str());
        return;
    }
    std::printf("device         %s\n", device.device_name.c_str());
    std::printf("driver         %s\n", device.driver.c_str());
    std::printf("keys           %zu %s%s, bits %u to %u, %s%s\n", n, to_string(options.type).c_str(),
                options.values    ? " with u32 values"
                : options.argsort ? ", their places"
                                  : "",
                options.first_bit, options.end_bit, options.descending ? "descending" : "ascending", wanted.c_str());
    if (sorted.gpu_ms > 0) {
        std::printf("GPU time       %.3f ms\n", sorted.gpu_ms);
        std::printf("throughput     %.3f G keys/s\n", items_per_s * 1e-9);
        std::printf("ratio to copy  %.3f\n", ratio_to_copy);
    }
    std::printf("result         verified against std::stable_sort\n");
}

Result<> run(const Options& options) {
    const auto gpu = weir::Context::create({.device = options.device});
    if (!gpu) {
        return tl::unexpected(gpu.error());
    }
    const auto keys = get_keys(options, gpu->capabilities());
    if (!keys) {
        return tl::unexpected(keys.error());
    }
    auto files = create_files(
        {options.output, options.values && !options.output.empty() ? options.output + ".values" : "", options.graph});
    if (!files) {
        return tl::unexpected(files.error());
    }
    Sorted sorted;
    if (!keys->empty()) {
        auto done = sort_on_device(*gpu, *keys, options);
        if (!done) {
            return tl::unexpected(done.error());
        }
        sorted = std::move(*done);
    }
    if (auto verified = verify(*keys, sorted, options); !verified) {
        return verified;
    }
    if (sorted.graph.empty()) {
        sorted.graph = "digraph weir {}\n";
    }
    std::string texts[2];
    const auto written = [&](const Words& words, NumberType type, std::string& text) {
        if (!options.text) {
            return bytes_of(words);
        }
        text = to_text(words, type);
        return std::string_view(text);
    };
    const std::string_view first = options.argsort ? written(sorted.values, NumberType::u32, texts[0])
                                                   : written(sorted.keys, options.type, texts[0]);
    const std::string_view contents[] = {first, written(sorted.values, NumberType::u32, texts[1]), sorted.graph};
    for (std::size_t i = 0; i < files->size(); ++i) {
        if ((*files)[i]) {
            if (auto done = (*files)[i]->write(contents[i]); !done) {
                return done;
            }
        }
    }
    if (auto kept = keep_files(*files); !kept) {
        return kept;
    }
    report(options, gpu->capabilities(), keys->size() / words_of(options.type), sorted);
    return {};
}

} // namespace

} // namespace samples

int main(int argc, char** argv) {
    return samples::run_sample("radix_sort", samples::parse_command_line(argc, argv), samples::run);
}
