// Each Vulkan call of Weir fails once, or loses the device: from adopting a device to destroying all objects on it.

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>

#include <weir/weir.hpp>

#include "engine/base/propagate.hpp"
#include "tests/graph/programs.hpp"
#include "tests/support/descriptor_modes.hpp"
#include "tests/support/failing_calls.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/host_device.hpp"
#include "tests/support/long_tests.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::every_call_test {
namespace {

const OnOneDriver on_one_driver{"EveryCall.*"};

/// texel[i] = words[i] + 1
const char* const store_source = R"(#version 460
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uint words[]; };
layout(set = 0, binding = 1, r32ui) writeonly uniform uimage2D image;
void main() {
    const uint i = gl_GlobalInvocationID.x;
    imageStore(image, ivec2(i % 64, i / 64), uvec4(words[i] + 1));
}
)";

/// A graph with an image, a selection, a scan with a count on the GPU, a history and two queues.
struct Frame {
    std::uint32_t items;
    Graph graph;
    WordRef in, sums, last;

    Frame(const Context& context, std::uint32_t rows) : items(64 * rows), graph(context) {
        in = graph.import_buffer<std::uint32_t>("in", items);
        const ImageId image = graph.transient_image("image", {.format = VK_FORMAT_R32_UINT, .extent = {64, rows, 1}});
        Pass store = simple_pass("store", store_source, {read(in), write(image)});
        store.dispatch = Dispatch::groups(rows);
        graph.add_pass(store);
        const WordRef words = graph.transient_buffer<std::uint32_t>("words", items);
        graph.add_copy("load", image, words);
        const WordRef even = select_if(graph, words, "x % 2 == 0").items;
        const auto kept = graph.history_buffer<std::uint32_t>("kept", items);
        last = graph.transient_buffer<std::uint32_t>("last", items);
        {
            const auto scope = graph.on_queue(QueueKind::compute);
            sums = scan(graph, even);
        }
        graph.add_copy("keep", words, kept.current, items * 4ULL);
        graph.add_copy("recall", kept.previous, last, items * 4ULL);
        graph.export_buffer(sums);
        graph.export_buffer(last);
    }
};

Values sums_of(const Values& input) {
    Values even;
    for (const std::uint32_t x : input) {
        if ((x + 1) % 2 == 0) {
            even.push_back(x + 1);
        }
    }
    std::partial_sum(even.begin(), even.end(), even.begin());
    return even;
}

/// All calls of an application, in steps that can be repeated.
class Application {
public:
    Application(const AdoptedDevice& adopted, DescriptorMode descriptors)
        : adopted_(adopted), descriptors_(descriptors) {}

    static constexpr std::array steps{"adopt",  "buffers",      "compile", "bind",   "run",
                                      "frames", "own commands", "profile", "resize", "results"};

    Result<> step(std::size_t index) {
        switch (index) {
        case 0: return keep(Context::adopt(adopted_), context_);
        case 1: {
            Result<> made = keep(context_->create_buffer(first_items * 4ULL), buffer_);
            return made ? context_->upload(*buffer_, input_) : made;
        }
        case 2:
            first_.emplace(*context_, first_items / 64);
            return keep(compile(*context_, first_->graph, options()), program_);
        case 3: return program_->bind(first_->in, *buffer_);
        case 4: {
            const Result<RunReport> report = program_->run();
            return report ? Result<>() : tl::unexpected(report.error());
        }
        case 5: {
            for (int frame = 0; frame < 3; ++frame) {
                WEIR_PROPAGATE(program_->submit());
            }
            return program_->wait();
        }
        case 6: return own_commands();
        case 7: {
            const Result<Profile> profile = program_->profile();
            return profile ? Result<>() : tl::unexpected(profile.error());
        }
        case 8:
            second_.emplace(*context_, second_items / 64);
            WEIR_PROPAGATE(keep(program_->resized(second_->graph), resized_));
            WEIR_PROPAGATE(resized_->bind(second_->in, *buffer_));
            for (int frame = 0; frame < 2; ++frame) {
                WEIR_PROPAGATE(resized_->run());
            }
            return {};
        default: return results();
        }
    }

    /// Returns true if the objects that a step needs exist.
    [[nodiscard]] bool is_possible(std::size_t index) const {
        return index == 0 || (context_ && (index == 1 || (buffer_ && (index == 2 || program_))));
    }

private:
    static constexpr std::uint32_t first_items = 64 * 40, second_items = 64 * 17;

    template <class T>
    static Result<> keep(Result<T> made, std::optional<T>& to) {
        WEIR_PROPAGATE(made);
        to.emplace(std::move(*made));
        return {};
    }

    [[nodiscard]] CompileOptions options() const {
        CompileOptions options;
        options.descriptors = descriptors_;
        options.frames_in_flight = 2;
        return options;
    }

    /// Records a program of one queue into a command buffer.
    Result<> own_commands() {
        Graph graph(*context_);
        const WordRef in = graph.import_buffer<std::uint32_t>("in", first_items);
        const WordRef keys = radix_sort(graph, in).keys;
        graph.export_buffer(keys);
        return compile(*context_, graph, options()).and_then([&](Program program) -> Result<> {
            WEIR_PROPAGATE(program.bind(in, *buffer_));
            Result<> submitted = context_->submit([&](VkCommandBuffer commands) { return program.record(commands); });
            WEIR_PROPAGATE(submitted);
            Values sorted = input_;
            std::sort(sorted.begin(), sorted.end());
            return expect(program.view(keys), sorted);
        });
    }

    Result<> results() {
        const Values small(input_.begin(), input_.begin() + second_items);
        Result<> right = expect(program_->view(first_->sums), sums_of(input_));
        right = right ? expect(program_->view(first_->last), plus(input_, 1)) : right;
        right = right ? expect(resized_->view(second_->sums), sums_of(small)) : right;
        return right ? expect(resized_->view(second_->last), plus(small, 1)) : right;
    }

    Result<> expect(BufferView view, const Values& expected) {
        const Result<Values> values = context_->download<std::uint32_t>(view, expected.size());
        WEIR_PROPAGATE(values);
        EXPECT_EQ(*values, expected);
        return {};
    }

    AdoptedDevice adopted_;
    DescriptorMode descriptors_;
    const Values input_ = Random(3).vector(first_items);
    std::optional<Context> context_;
    std::optional<Buffer> buffer_;
    std::optional<Frame> first_, second_;
    std::optional<Program> program_, resized_;
};

/// A host's device for one application. Its calls may fail.
struct Trial {
    HostDevice host;
    AdoptedDevice adopted = host.adopted();
    FailingCalls calls{adopted};

    explicit Trial(const TemporaryFolder& shaders) {
        adopted.shader_cache_directory = shaders.name();
        adopted.log = [](LogLevel, std::string_view) {};
        // All kinds share the main queue, so they must share its lock, too.
        adopted.lock_queue = [] {};
        adopted.unlock_queue = [] {};
        adopted.compute_queue = {adopted.queue, adopted.queue_family, adopted.lock_queue, adopted.unlock_queue};
    }
};

/// Runs each step, and again if it fails: it must work then. Returns the errors.
std::vector<Error> play(Application& application) {
    std::vector<Error> errors;
    for (std::size_t step = 0; step < Application::steps.size(); ++step) {
        SCOPED_TRACE(Application::steps.at(step));
        const Result<> done = application.step(step);
        if (!done) {
            errors.push_back(done.error());
            const Result<> again = application.step(step);
            EXPECT_TRUE(again) << "again: " << again.error().message << "\nafter: " << done.error().message;
            if (!again) {
                return errors;
            }
        }
    }
    return errors;
}

/// Returns true if the failure of a function need not be an error: the allocator tries smaller blocks and other types
/// of memory, a failed wait is repeated, a command pool or fence that cannot be reset is not used again, and debug
/// names are optional.
bool is_done_without(std::string_view function) {
    constexpr std::string_view names[] = {"vkAllocateMemory",   "vkMapMemory",      "vkGetFenceStatus",
                                          "vkWaitForFences",    "vkWaitSemaphores", "vkGetSemaphoreCounterValue",
                                          "vkResetCommandPool", "vkResetFences",    "vkSetDebugUtilsObjectNameEXT"};
    return std::find(std::begin(names), std::end(names), function) != std::end(names);
}

/// Returns the calls, of `calls` calls, that a test lets fail: the middle one, or in a long run all of them, at
/// most 50.
std::vector<int> chosen(int calls) {
    if (!long_tests()) {
        return calls == 0 ? std::vector<int>() : std::vector{calls / 2};
    }
    std::vector<int> all(static_cast<std::size_t>(std::min(calls, 50)));
    for (std::size_t i = 0; i < all.size(); ++i) {
        all[i] = static_cast<int>(i * static_cast<std::size_t>(calls) / all.size());
    }
    return all;
}

/// Returns the number of calls of each function by an application whose calls all work.
std::map<std::string, int> calls_of(const TemporaryFolder& shaders, DescriptorMode descriptors) {
    std::map<std::string, int> calls;
    Trial trial(shaders);
    {
        Application application(trial.adopted, descriptors);
        EXPECT_TRUE(play(application).empty());
    }
    for (const std::string& function : FailingCalls::functions()) {
        calls[function] = trial.calls.calls(function);
    }
    return calls;
}

// The layer reports objects that still exist when the device is destroyed.
TEST(EveryCall, FailureIsReportedAndRetrySucceeds) {
    const TemporaryFolder shaders;
    std::vector<DescriptorMode> modes = descriptor_modes(test_context().capabilities());
    modes.resize(long_tests() ? modes.size() : 1);
    for (const DescriptorMode descriptors : modes) {
        for (const auto& [function, calls] : calls_of(shaders, descriptors)) {
            for (const int later : chosen(calls)) {
                SCOPED_TRACE(function + ", call " + std::to_string(later) + " of " + std::to_string(calls));
                Trial trial(shaders);
                trial.calls.fail(function, VK_ERROR_OUT_OF_HOST_MEMORY, 1, later);
                Application application(trial.adopted, descriptors);
                const std::vector<Error> errors = play(application);
                EXPECT_LE(errors.size(), 1U);
                EXPECT_TRUE(!errors.empty() || is_done_without(function));
                for (const Error& error : errors) {
                    EXPECT_EQ(error.code, ErrorCode::out_of_memory);
                    EXPECT_THAT(error.message, testing::HasSubstr("out of host memory"));
                }
            }
        }
    }
}

// Every later step reports the loss, without waiting for work that no longer runs. All objects can be destroyed.
TEST(EveryCall, DeviceLossIsReportedByLaterSteps) {
    const TemporaryFolder shaders;
    int calls = 0;
    {
        Trial trial(shaders);
        Application application(trial.adopted, DescriptorMode::automatic);
        EXPECT_TRUE(play(application).empty());
        calls = trial.calls.calls_that_may_lose();
    }
    std::vector<int> points = chosen(calls);
    points.insert(points.end(), {0, 1, 5, 20}); // in the first steps
    for (const int later : points) {
        SCOPED_TRACE("call " + std::to_string(later) + " of " + std::to_string(calls));
        Trial trial(shaders);
        trial.calls.lose_device(later);
        Application application(trial.adopted, DescriptorMode::automatic);
        bool is_lost = false;
        for (std::size_t step = 0; step < Application::steps.size() && application.is_possible(step); ++step) {
            const Result<> done = application.step(step);
            // Binding calls no function that may report the loss.
            EXPECT_TRUE(!done || !is_lost || Application::steps.at(step) == std::string_view("bind"));
            if (!done) {
                EXPECT_EQ(done.error().code, ErrorCode::device_lost) << done.error().message;
                is_lost = true;
            }
        }
    }
}

} // namespace
} // namespace weir::tests::every_call_test
