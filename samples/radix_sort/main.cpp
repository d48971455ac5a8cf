#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <limits>
#include <new>
#include <optional>

#include <nlohmann/json.hpp>

#include "radix_sort/options.hpp"
#include "radix_sort/sorting.hpp"
#include "radix_sort/words.hpp"

namespace samples {

namespace {

using weir::Result;

Result<> list_devices() {
    const auto devices = weir::Context::list_devices();
    if (!devices) {
        return tl::unexpected(devices.error());
    }
    for (const auto& device : *devices) {
        std::printf("%u: %s, %s, %s%s%s\n", device.index, device.name.c_str(), weir::to_string(device.kind),
                    device.driver.c_str(), device.unusable.empty() ? "" : "; not usable: ", device.unusable.c_str());
    }
    return {};
}

Result<Words> get_keys(const Options& options, const weir::Capabilities& device) {
    const std::uint64_t most =
        std::min<std::uint64_t>(device.max_storage_range / 4, std::numeric_limits<std::uint32_t>::max() - 3);
    if (!options.input.empty()) {
        return read_words(options.input, most);
    }
    const std::uint64_t n = options.n.value_or(device.kind == weir::DeviceKind::cpu ? 1U << 20 : 1U << 24);
    if (n > most) {
        return tl::unexpected(weir::Error{weir::ErrorCode::limit_exceeded,
                                          std::to_string(n) + " keys are too many; the device binds at most " +
                                              std::to_string(most) + " (maxStorageBufferRange)"});
    }
    return random_words(n, options.seed);
}

void report(const Options& options, const weir::Capabilities& device, std::size_t n, const Sorted& sorted) {
    const double items_per_s = sorted.gpu_ms > 0 ? static_cast<double>(n) / (sorted.gpu_ms * 1e-3) : 0;
    const double ratio_to_copy = sorted.gpu_ms > 0 ? sorted.copy_ms / sorted.gpu_ms : 0;
    if (options.json) {
        const nlohmann::json object = {{"device", device.device_name},
                                       {"driver", device.driver},
                                       {"type", "u32"},
                                       {"n", n},
                                       {"values", options.values},
                                       {"descending", options.descending},
                                       {"bits", {options.first_bit, options.end_bit}},
                                       {"gpu_ms", sorted.gpu_ms},
                                       {"items_per_s", items_per_s},
                                       {"ratio_to_copy", ratio_to_copy},
                                       {"scratch_bytes", sorted.scratch},
                                       {"verified", true}};
        std::printf("%s\n", object.dump(2).c_str());
        return;
    }
    std::printf("device         %s\n", device.device_name.c_str());
    std::printf("driver         %s\n", device.driver.c_str());
    std::printf("keys           %zu u32%s, bits %u to %u, %s\n", n, options.values ? " with u32 values" : "",
                options.first_bit, options.end_bit, options.descending ? "descending" : "ascending");
    if (sorted.gpu_ms > 0) {
        std::printf("GPU time       %.3f ms\n", sorted.gpu_ms);
        std::printf("throughput     %.3f G keys/s\n", items_per_s * 1e-9);
        std::printf("ratio to copy  %.3f\n", ratio_to_copy);
    }
    std::printf("result         verified against std::stable_sort\n");
}

Result<> run(const Options& options) {
    if (options.list_devices) {
        return list_devices();
    }
    weir::ContextOptions context_options;
    context_options.device = options.device;
    const auto gpu = weir::Context::create(context_options);
    if (!gpu) {
        return tl::unexpected(gpu.error());
    }
    const auto keys = get_keys(options, gpu->capabilities());
    if (!keys) {
        return tl::unexpected(keys.error());
    }
    // Files that cannot be written are found out before the work.
    struct Target {
        std::string path;
        std::optional<NewFile> file;
    };
    Target targets[] = {{options.output, {}},
                        {options.values && !options.output.empty() ? options.output + ".values" : "", {}},
                        {options.graph, {}}};
    for (Target& target : targets) {
        if (!target.path.empty()) {
            auto file = NewFile::create(target.path);
            if (!file) {
                return tl::unexpected(file.error());
            }
            target.file.emplace(std::move(*file));
        }
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
    for (Target& target : targets) {
        if (!target.file) {
            continue;
        }
        auto written = &target == &targets[2]
                           ? target.file->write(sorted.graph.empty() ? "digraph weir {}\n" : sorted.graph)
                           : target.file->write(&target == &targets[0] ? sorted.keys : sorted.values);
        if (!written) {
            return written;
        }
    }
    for (Target& target : targets) {
        if (target.file) {
            if (auto kept = target.file->keep(); !kept) {
                return kept;
            }
        }
    }
    report(options, gpu->capabilities(), keys->size(), sorted);
    return {};
}

} // namespace

} // namespace samples

int main(int argc, char** argv) {
    const samples::CommandLine line = samples::parse_command_line(argc, argv);
    if (line.exit_code) {
        return *line.exit_code;
    }
#ifdef SIGPIPE
    std::signal(SIGPIPE, SIG_IGN); // a closed pipe is an error to report, like a full disk
#endif
    try {
        if (const auto done = samples::run(line.options); !done) {
            std::fprintf(stderr, "radix_sort: %s\n", done.error().message.c_str());
            return 1;
        }
    } catch (const std::bad_alloc&) {
        std::fprintf(stderr, "radix_sort: not enough memory\n");
        return 1;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "radix_sort: %s\n", error.what());
        return 1;
    }
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
        std::fprintf(stderr, "radix_sort: cannot write to standard output\n");
        return 1;
    }
    return 0;
}
