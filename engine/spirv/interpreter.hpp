#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/spirv/reflection.hpp"
#include "engine/spirv/spirv_module.hpp"

namespace weir::spirv {

/// The built-in vectors that are followed. WorkgroupId and GlobalInvocationId count as one.
enum BuiltInVector : std::uint8_t { place_vector, group_counts_vector, built_in_vectors };

/// Interprets a module without running it. Follows every value that is known, every pointer and every branch that may
/// be taken, repeatedly until nothing changes. A value that is still unknown counts as nothing, so that conditions that
/// stay the same in a loop are known in it. Each call of a function is interpreted separately, because its arguments
/// decide what it does. A variable of a function has one value, whatever the order of its stores.
class Interpreter {
public:
    Interpreter(const Module& module, std::span<const std::optional<std::uint32_t>> push,
                std::vector<Reflection::Resource>& resources, std::vector<Value> variables);
    /// Returns the components of a built-in vector that are read, as bits.
    [[nodiscard]] std::uint8_t components(std::uint64_t vector) const { return components_.at(vector); }
    [[nodiscard]] bool loops() const { return loops_; }

    /// Runs until nothing changes. Returns false if the module has no `main` or the maximum number of steps is reached.
    bool run();

private:
    using VKind = Value::Kind;
    /// One call of a function.
    struct Frame {
        Frame(const Module& module, std::uint32_t index)
            : function(index), first_block(module.functions()[index].first_block),
              values(module.functions()[index].slots), reached(module.functions()[index].end_block - first_block) {
            if (!reached.empty()) {
                reached[0] = true;
            }
        }
        std::uint32_t function, first_block;
        std::vector<Value> values;
        std::vector<bool> reached; ///< per block
        Value result;
        std::map<std::uint32_t, std::unique_ptr<Frame>> calls; ///< by the word of the call instruction
    };

    static bool is_pointer_to_cell(const Value& value) { return value.is(VKind::cell) || value.is(VKind::part); }

    Value new_cell(std::uint32_t variable);
    [[nodiscard]] Value value(const Frame& frame, std::uint32_t id) const;
    /// Returns a value that stands for both `a` and `b`.
    Value either(const Value& a, const Value& b);
    /// Marks components of a built-in vector as read.
    void read_components(const Value& of, std::uint8_t which);
    static std::uint8_t component(std::uint64_t index);
    /// Marks the built-in vectors that an instruction uses as a whole as read.
    void read_whole_vectors(const Frame& frame, const Instruction& instruction);
    /// Marks the components that a shuffle selects as read. Its literals number the components of both vectors
    /// consecutively.
    void shuffle(const Frame& frame, const Instruction& instruction);
    void lower(Value& known, const Value& by);
    /// Forgets the value of the variable that `pointer` points to, because anything may be written to it.
    void lose(Value pointer);
    void set(Frame& frame, std::uint32_t id, const Value& by);
    void use(const Value& value, bool reads, bool writes);
    void reach(Frame& frame, std::uint32_t label);
    /// Calls `visit(label)` for each block that may come after the instruction.
    template <class Visit>
    void for_each_next(const Frame& frame, const Instruction& last, const Visit& visit);
    /// Checks that control may go from block `from` to block `to`.
    bool may_go(Frame& frame, std::uint32_t from, std::uint32_t to);
    void call(Frame& frame, const Instruction& instruction, std::uint32_t at, int depth);
    Value loaded(const Instruction& instruction, const Value& pointer);
    void store(const Value& pointer, const Value& by);
    /// Returns a pointer to where a chain of indices leads from byte `at` of the push constants.
    Value push_chain(const Frame& frame, const Instruction& instruction, std::uint64_t at);
    Value chain(const Frame& frame, const Instruction& instruction);
    /// Applies the effects of an instruction, except its result.
    void act(Frame& frame, const Instruction& instruction);
    Value result(Frame& frame, const Instruction& instruction, std::uint32_t label);
    [[nodiscard]] Value evaluated(const Frame& frame, const Instruction& instruction) const;
    void step(Frame& frame, const Instruction& instruction, std::uint32_t at, std::uint32_t label, int depth);
    void sweep(Frame& frame, int depth);

    static constexpr Value varying{VKind::varying, 0};
    static constexpr std::uint8_t all_components = 7;

    const Module& module_;
    std::span<const std::optional<std::uint32_t>> push_;
    std::vector<Reflection::Resource>& resources_;
    std::vector<Value> variables_; ///< variables outside functions
    std::vector<Value> cells_;
    std::array<std::uint8_t, built_in_vectors> components_{}; ///< components that are read, by built-in vector
    bool loops_ = false;
    std::uint32_t steps_ = 0;
    bool changed_ = false;
    bool is_stuck_ = false, undefined_goes_both_ways_ = false;
};

} // namespace weir::spirv
