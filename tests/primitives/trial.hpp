#pragma once

#include <map>
#include <optional>

#include "tests/primitives/harness.hpp"

namespace weir::tests {

constexpr FaultInjection::Order tile_orders[] = {FaultInjection::Order::as_started, FaultInjection::Order::reversed,
                                                 FaultInjection::Order::both_ends, FaultInjection::Order::random};

/// A graph of a primitive under test and what it is bound to: inputs that stay, and outputs that are poisoned before
/// each run, with guard words around them. All are bound at the least offset that the device allows: 16 bytes on
/// lavapipe, 256 on SwiftShader.
class Trial {
public:
    /// For counts up to `most`, which the host sets or which are on the GPU.
    explicit Trial(std::uint32_t most, Count::Kind kind = Count::Kind::parameter) : graph(test_context()), kind_(kind) {
        counts_ = graph.import_buffer<std::uint32_t>("count of the input", 3);
        count = kind == Count::Kind::gpu         ? graph.count_in(counts_, 2, most)
                : kind == Count::Kind::parameter ? graph.parameter("n", most)
                                                 : Count(most);
        seed = graph.parameter("seed", ~0U);
    }

    template <class T>
    BufferRef<T> input(const char* name, const std::vector<T>& items) {
        const auto capacity = static_cast<std::uint32_t>(items.empty() ? 1 : items.size());
        const auto ref = graph.import_buffer<T>(name, capacity).with_count(count); // which may be past the capacity
        const Bound& bound = place(ref, (capacity * sizeof(T) + 3) / 4, name);
        ok(test_context().upload(bound.view, items));
        return ref;
    }

    /// Other contents for the runs that follow, no more of them.
    template <class T>
    void refill(BufferRef<T> input, const std::vector<T>& items) {
        ok(test_context().upload(bound_.at(input.id.index).view, items));
    }

    template <class T = std::uint32_t>
    BufferRef<T> output(const char* name, std::uint32_t capacity) {
        auto ref = graph.import_buffer<T>(name, capacity + guard_elements);
        const std::size_t words = ((capacity + guard_elements) * sizeof(T) + 3) / 4;
        place(ref, words, name).poison = poisoned(words);
        ref.capacity = capacity;
        return ref;
    }

    void compile() {
        program_.emplace(ok(weir::compile(test_context(), graph)));
        counts_buffer_ = poisoned_buffer(3);
        ok(program_->bind(counts_, counts_buffer_));
        for (const auto& [index, bound] : bound_) {
            ok(program_->bind(bound.id, bound.view));
        }
    }

    void run(std::uint32_t n, std::uint32_t with_seed = 1) {
        if (kind_ == Count::Kind::gpu) {
            ok(test_context().upload(counts_buffer_, std::vector<std::uint32_t>{~0U, ~0U, n}));
        } else if (kind_ == Count::Kind::parameter) {
            ok(program_->set(count, n));
        }
        ok(program_->set(seed, with_seed));
        for (auto& [index, bound] : bound_) {
            if (!bound.poison.empty()) {
                ok(test_context().upload(bound.view, bound.poison));
            }
        }
        ok(program_->run());
    }

    /// So many runs in a row, of whose results only the last one's stay.
    void repeat(std::uint32_t n, std::uint32_t times) {
        constexpr std::uint32_t at_once = 256;
        ok(program_->set(count, n));
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

    /// Whether an output begins with these items and has nothing else.
    template <class T = std::uint32_t>
    void expect(BufferId output, const std::vector<T>& items) const {
        const Bound& bound = bound_.at(output.index);
        std::vector<std::uint32_t> words = bound.poison;
        ASSERT_LE(items.size() * sizeof(T), words.size() * 4) << bound.name;
        if (!items.empty()) {
            std::memcpy(words.data(), items.data(), items.size() * sizeof(T));
        }
        expect_equal(contents(bound.view, words.size()), words, bound.name);
        expect_equal(contents(bound.memory, skipped_words()), poisoned(skipped_words()), bound.name + ", before it");
    }

    /// The first words of an output.
    [[nodiscard]] std::vector<std::uint32_t> words_in(BufferId output, std::size_t words) const {
        return contents(bound_.at(output.index).view, words);
    }

    Graph graph;
    Count count; ///< of every input
    Count seed;  ///< a parameter, for faults

private:
    static constexpr std::uint32_t guard_elements = 5;

    struct Bound {
        BufferId id;
        Buffer memory;
        BufferView view; ///< of what is bound
        std::vector<std::uint32_t> poison;
        std::string name;
    };

    static std::uint32_t skipped_words() {
        return std::max(test_context().capabilities().storage_offset_alignment, 4U) / 4;
    }

    Bound& place(BufferId id, std::size_t words, const char* name) {
        Buffer memory = poisoned_buffer(skipped_words() + words);
        const BufferView view{memory.handle(), skipped_words() * 4, words * 4};
        return bound_.emplace(id.index, Bound{id, std::move(memory), view, {}, name}).first->second;
    }

    Count::Kind kind_;
    BufferRef<std::uint32_t> counts_;
    Buffer counts_buffer_;
    std::map<std::uint32_t, Bound> bound_;
    std::optional<Program> program_;
};

} // namespace weir::tests
