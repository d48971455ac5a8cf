#pragma once

#include <map>
#include <optional>

#include "engine/device/device.hpp"
#include "tests/primitives/harness.hpp"
#include "tests/primitives/instrument.hpp"

namespace weir::tests {

constexpr Instrument::Order tile_orders[] = {Instrument::Order::as_started, Instrument::Order::reversed,
                                             Instrument::Order::both_ends, Instrument::Order::random};

/// Returns the test device, with bindings of at most `bytes` bytes. 0: those of the device.
inline Capabilities device_with_range(std::uint64_t bytes) {
    Capabilities device = test_context().capabilities();
    device.max_storage_range = bytes != 0 ? bytes : device.max_storage_range;
    return device;
}

/// The graph of a primitive under test and its buffers. Inputs keep their contents. Outputs are poisoned before each
/// run and have guard words around them. All buffers are bound at the minimum nonzero offset that the device allows: 16
/// bytes on lavapipe, 256 on SwiftShader. Failures name the count and the seed of the run.
class Trial {
public:
    /// Creates a trial whose inputs have a count of `kind` with the maximum `most`. The graph is planned for `device`.
    explicit Trial(std::uint32_t most, Count::Kind kind = Count::Kind::parameter,
                   const Capabilities& device = test_context().capabilities())
        : graph(device), kind_(kind) {
        counts_ = graph.import_buffer<std::uint32_t>("count of the input", 3);
        count = kind == Count::Kind::gpu         ? graph.count_in(counts_, 2, most)
                : kind == Count::Kind::parameter ? graph.parameter("n", most)
                                                 : Count(most);
        seed = graph.parameter("seed", ~0U);
    }

    template <class T>
    BufferRef<T> input(const char* name, const std::vector<T>& items) {
        const auto capacity = static_cast<std::uint32_t>(items.empty() ? 1 : items.size());
        const auto ref = graph.import_buffer<T>(name, capacity).with_count(count); // which may exceed the capacity
        const Bound& bound = place(ref, (capacity * sizeof(T) + 3) / 4, name);
        ok(test_context().upload(bound.view, items));
        return ref;
    }

    /// Returns a count that is always n. It is on the GPU if the count of the inputs is.
    Count fixed(std::uint32_t n) {
        return kind_ == Count::Kind::gpu ? graph.count_in(input("fixed count", Words{n}), 0, n) : Count(n);
    }

    /// Replaces the contents of an input, or of a buffer in place, for the following runs. Precondition: no more items
    /// than before.
    template <class T>
    void refill(BufferRef<T> input, const std::vector<T>& items) {
        Bound& bound = bound_.at(input.id.index);
        if (bound.is_output) {
            bound.initial = poisoned((items.size() * sizeof(T) + 3) / 4);
            std::memcpy(bound.initial.data(), items.data(), items.size() * sizeof(T));
            bound.initial_words = buffer_of(bound.initial);
        } else if (!items.empty()) {
            ok(test_context().upload(bound.view, items));
        }
    }

    template <class T = std::uint32_t>
    BufferRef<T> output(const char* name, std::uint32_t capacity) {
        auto ref = graph.import_buffer<T>(name, capacity + guard_elements);
        const std::size_t words = ((capacity + guard_elements) * sizeof(T) + 3) / 4;
        Bound& bound = place(ref, words, name);
        bound.is_output = true;
        bound.at = fetched_bytes_;
        fetched_bytes_ += bound.memory.size();
        ref.capacity = capacity;
        return ref;
    }

    /// Returns a buffer for primitives in place. It holds `items` before each run, with guard words around them.
    template <class T>
    BufferRef<T> in_place(const char* name, const std::vector<T>& items) {
        const auto ref = output<T>(name, count_of(items)).with_count(count);
        refill(ref, items);
        return ref;
    }

    /// Exports a buffer that a primitive has created, so that expect_exported() can check it.
    template <class T>
    BufferRef<T> exported(BufferRef<T> created) {
        graph.export_buffer(created);
        return created;
    }

    /// Returns an instrument with counters, which counters() returns after a run.
    Instrument counted(Instrument instrument) {
        instrument.counters = counters_ = output("counters", 5);
        return instrument;
    }

    /// Sets a parameter of the graph for the following runs.
    void set(const Count& parameter, std::uint32_t value) {
        compile();
        ok(program_->set(parameter, value));
    }

    /// Runs the primitives for n elements.
    void run(std::uint32_t n, std::uint32_t with_seed = 1) {
        compile();
        if (kind_ == Count::Kind::gpu) {
            ok(test_context().upload(counts_buffer_, Words{~0U, ~0U, n}));
        } else if (kind_ == Count::Kind::parameter) {
            ok(program_->set(count, n));
        }
        ok(program_->set(seed, with_seed));
        run_ = " with n = " + std::to_string(n) + ", seed " + std::to_string(with_seed);
        poison_outputs();
        ok(program_->run());
        fetched_ = false;
    }

    /// Runs the program `times` times with the count n, without poisoning outputs. They keep the results of the last
    /// run. Precondition: the count is a parameter.
    void repeat(std::uint32_t n, std::uint32_t times) {
        constexpr std::uint32_t at_once = 256;
        ok(program_->set(count, n));
        fetched_ = false;
        for (std::uint32_t done = 0; done < times; done += at_once) {
            ok(test_context().submit([&](VkCommandBuffer commands) {
                Result<> recorded;
                for (std::uint32_t i = done; i < std::min(done + at_once, times) && recorded; ++i) {
                    recorded = program_->record(commands);
                }
                return recorded;
            }));
        }
    }

    /// Checks that an output begins with `items` and that all its other words are as before the run, guard words
    /// included.
    template <class T = std::uint32_t>
    void expect(BufferId output, const std::vector<T>& items) {
        const Bound& bound = bound_.at(output.index);
        Words words = poisoned(bound.view.size / 4);
        ASSERT_LE(items.size() * sizeof(T), words.size() * 4) << bound.name << run_;
        std::copy(bound.initial.begin(), bound.initial.end(), words.begin());
        if (!items.empty()) {
            std::memcpy(words.data(), items.data(), items.size() * sizeof(T));
        }
        const Words before(fetched(bound), fetched(bound) + skipped_words());
        const Words found(fetched(bound) + skipped_words(), fetched(bound) + skipped_words() + words.size());
        expect_equal(found, words, bound.name + run_);
        expect_equal(before, poisoned(skipped_words()), bound.name + run_ + ", before it");
    }

    /// Checks that a buffer of exported() begins with `items`.
    template <class T>
    void expect_exported(BufferRef<T> created, const std::vector<T>& items) {
        const auto found = contents<T>(program_->view(created), items.size());
        expect_equal(words_of(found), words_of(items), "a created buffer" + run_);
    }

    /// Checks that an input still holds `items`.
    template <class T>
    void expect_unchanged(BufferRef<T> input, const std::vector<T>& items) {
        const Bound& bound = bound_.at(input.id.index);
        const auto found = contents<T>(bound.view, items.size());
        expect_equal(words_of(found), words_of(items), bound.name + run_ + ", afterwards");
    }

    /// Returns the first words of an input or output. Does not check guard words.
    [[nodiscard]] Words words_in(BufferId output, std::size_t words) const {
        return contents(bound_.at(output.index).view, words);
    }

    [[nodiscard]] LookBackCounters counters() const {
        const Words words = words_in(counters_, 5);
        return {words[0], words[1], words[2], words[3], words[4]};
    }

    Graph graph;
    Count count; ///< count of all inputs
    Count seed;  ///< parameter set by run(), such as the seed of faults

private:
    static constexpr std::uint32_t guard_elements = 5;

    struct Bound {
        BufferId id;
        Buffer memory;
        BufferView view; ///< the bound range of `memory`
        std::string name;
        bool is_output = false;
        VkDeviceSize at = 0; ///< outputs only: offset in `copies_`
        Words initial;       ///< outputs in place only: the contents before each run
        Buffer initial_words{};
    };

    /// Compiles the graph, unless it is compiled.
    void compile() {
        if (program_) {
            return;
        }
        program_.emplace(ok(weir::compile(test_context(), graph)));
        counts_buffer_ = poisoned_buffer(3);
        ok(program_->bind(counts_, counts_buffer_));
        for (const auto& [index, bound] : bound_) {
            ok(program_->bind(bound.id, bound.view));
        }
    }

    // All outputs share a submission, because one per buffer would take most of the time of a test.

    /// Fills all outputs with the value of poisoned(), or with their initial contents.
    void poison_outputs() {
        submit([&](const VolkDeviceTable& vk, VkCommandBuffer commands, const Bound& output) {
            const BufferView& view = output.view;
            const VkDeviceSize bytes = output.initial.size() * 4;
            vk.vkCmdFillBuffer(commands, view.buffer, view.offset + bytes, view.size - bytes, poisoned(1)[0]);
            if (bytes != 0) {
                const VkBufferCopy region{0, view.offset, bytes};
                vk.vkCmdCopyBuffer(commands, output.initial_words.handle(), view.buffer, 1, &region);
            }
        });
    }

    /// Returns the memory of an output after the last run. The first call after a run fetches all outputs.
    const std::uint32_t* fetched(const Bound& output) {
        if (!fetched_) {
            if (copies_.size() < fetched_bytes_) {
                copies_ = ok(test_context().create_buffer(fetched_bytes_, MemoryKind::download));
            }
            submit([&](const VolkDeviceTable& vk, VkCommandBuffer commands, const Bound& each) {
                const VkBufferCopy region{0, each.at, each.memory.size()};
                vk.vkCmdCopyBuffer(commands, each.memory.handle(), copies_.handle(), 1, &region);
            });
            fetched_ = true;
        }
        return reinterpret_cast<const std::uint32_t*>(copies_.mapped() + output.at);
    }

    /// Records a command for each output, submits them and waits for completion.
    template <class Record>
    void submit(const Record& record) {
        const VolkDeviceTable& vk = ContextAccess::device(test_context())->vk();
        ok(test_context().submit([&](VkCommandBuffer commands) -> Result<> {
            VkMemoryBarrier barrier{VK_STRUCTURE_TYPE_MEMORY_BARRIER};
            barrier.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT;
            barrier.dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
            vk.vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 1,
                                    &barrier, 0, nullptr, 0, nullptr);
            for (const auto& [index, bound] : bound_) {
                if (bound.is_output) {
                    record(vk, commands, bound);
                }
            }
            barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
            barrier.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT | VK_ACCESS_HOST_READ_BIT;
            vk.vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                                    VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0,
                                    nullptr, 0, nullptr);
            return {};
        }));
    }

    static std::uint32_t skipped_words() {
        return std::max(test_context().capabilities().storage_offset_alignment, 4U) / 4;
    }

    Bound& place(BufferId id, std::size_t words, const char* name) {
        Buffer memory = poisoned_buffer(skipped_words() + words);
        const BufferView view{memory.handle(), skipped_words() * 4, words * 4};
        return bound_.emplace(id.index, Bound{.id = id, .memory = std::move(memory), .view = view, .name = name})
            .first->second;
    }

    Count::Kind kind_;
    Ref counts_, counters_;
    Buffer counts_buffer_;
    std::map<std::uint32_t, Bound> bound_;
    std::string run_; ///< for messages
    Buffer copies_;
    VkDeviceSize fetched_bytes_ = 0;
    bool fetched_ = false;
    std::optional<Program> program_;
};

} // namespace weir::tests
