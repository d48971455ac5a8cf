#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string_view>

#include <nlohmann/json.hpp>

#include "common/copy.hpp"
#include "common/files.hpp"
#include "common/program.hpp"
#include "common/propagate.hpp"
#include "common/timing.hpp"
#include "common/words.hpp"
#include "radix_sort/options.hpp"
#include "radix_sort/sorting.hpp"

namespace samples {

namespace {

using weir::Result;

Result<Bytes> get_keys(const Options& options, const weir::Capabilities& device) {
    const std::uint32_t bytes = bytes_of(options.type);
    const std::uint64_t most = most_copied_words(device) * 4 / std::max(bytes, 4U); // narrower keys are sorted as words
    if (!options.input.empty()) {
        return (options.text ? read_numbers : read_bytes)(options.input, options.type, most);
    }
    const std::uint64_t n = options.n.value_or(device.kind == weir::DeviceKind::cpu ? 1U << 20 : 1U << 24);
    if (n > most) {
        return tl::unexpected(weir::Error{weir::ErrorCode::limit_exceeded,
                                          std::to_string(n) + " keys are too many; the device binds at most " +
                                              std::to_string(most) + " (maxStorageBufferRange)"});
    }
    Bytes keys(n * bytes);
    const Words words = random_words((keys.size() + 3) / 4, options.seed);
    std::memcpy(keys.data(), words.data(), keys.size());
    return keys;
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
                : options.argsort ? ", indices only"
                                  : "",
                options.first_bit, options.end_bit, options.descending ? "descending" : "ascending", wanted.c_str());
    if (sorted.gpu_ms > 0) {
        std::printf("GPU time       %.3f ms%s\n", sorted.gpu_ms, speed_note(device));
        std::printf("throughput     %s\n", to_throughput(items_per_s, "keys").c_str());
        std::printf("ratio to copy  %.3f\n", ratio_to_copy);
    }
    std::printf("result         verified against std::stable_sort\n");
}

Result<> run(const Options& options) {
    const auto gpu = weir::Context::create({.device = options.device});
    SAMPLES_PROPAGATE(gpu);
    const auto keys = get_keys(options, gpu->capabilities());
    SAMPLES_PROPAGATE(keys);
    auto files = create_files({options.output, options.values_output(), options.graph, options.plan, options.trace});
    SAMPLES_PROPAGATE(files);
    Sorted sorted;
    if (!keys->empty()) {
        auto done = sort_on_device(*gpu, *keys, options);
        SAMPLES_PROPAGATE(done);
        sorted = std::move(*done);
    }
    SAMPLES_PROPAGATE(verify(*keys, sorted, options));
    std::string texts[2];
    const auto written = [&](const Bytes& bytes, NumberType type, std::string& text) {
        if (!options.text) {
            return std::string_view(bytes.data(), bytes.size());
        }
        text = to_text(bytes, type);
        return std::string_view(text);
    };
    const std::string_view first = options.argsort ? written(sorted.values, NumberType::u32, texts[0])
                                                   : written(sorted.keys, options.type, texts[0]);
    const std::string_view contents[] = {first, written(sorted.values, NumberType::u32, texts[1]), sorted.plan[0],
                                         sorted.plan[1], sorted.plan[2]};
    for (std::size_t i = 0; i < files->size(); ++i) {
        if ((*files)[i]) {
            SAMPLES_PROPAGATE((*files)[i]->write(contents[i]));
        }
    }
    SAMPLES_PROPAGATE(keep_files(*files));
    report(options, gpu->capabilities(), keys->size() / bytes_of(options.type), sorted);
    return {};
}

} // namespace

} // namespace samples

int main(int argc, char** argv) {
    return samples::run_sample("radix_sort", samples::parse_command_line(argc, argv), samples::run);
}
