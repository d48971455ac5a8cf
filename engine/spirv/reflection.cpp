#include "engine/spirv/reflection.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <memory>
#include <utility>

#include "engine/base/strings.hpp"
#include "engine/spirv/spirv_module.hpp"

namespace weir {

namespace {

using spirv::DecorationKind;
using spirv::Instruction;
using spirv::Module;
using spirv::Op;
using spirv::StorageClass;
using spirv::Value;
using VKind = Value::Kind;

constexpr std::size_t max_resources = 64;      // bits of a Value
constexpr std::uint32_t max_steps = 1U << 23U; // words; some hundred times the need of a large kernel
constexpr int deepest_call = 100;

/// The built-in vectors that are followed. WorkgroupId and GlobalInvocationId count as one.
enum BuiltInVector : std::uint8_t { place_vector, group_counts_vector, built_in_vectors };

std::optional<BuiltInVector> built_in_vector(const Module& module, std::uint32_t variable) {
    constexpr std::uint32_t num_workgroups = 24, workgroup_id = 26, global_invocation_id = 28;
    switch (module.decoration(variable, DecorationKind::built_in).value_or(0)) {
    case workgroup_id:
    case global_invocation_id: return place_vector;
    case num_workgroups: return group_counts_vector;
    default: return std::nullopt;
    }
}

StorageClass storage_class(const Module& module, std::uint32_t variable) {
    return StorageClass{module.definition(variable).word(3)};
}

/// Returns the type that the type of `pointer`, a variable or a pointer, points to.
std::uint32_t pointee(const Module& module, std::uint32_t pointer) {
    return module.definition(module.type_of(pointer)).word(3);
}

bool is_atomic_on_third(Op operation) {
    return (operation >= Op::atomic_exchange && operation <= Op::atomic_xor) ||
           operation == Op::atomic_flag_test_and_set || operation == Op::atomic_f_min ||
           operation == Op::atomic_f_max || operation == Op::atomic_f_add;
}

bool reads_image(Op operation) {
    return (operation >= Op::image_sample_first && operation <= Op::image_read) ||
           (operation >= Op::image_sparse_first && operation <= Op::image_sparse_gather_last) ||
           operation == Op::image_sparse_read;
}

/// Words of an instruction that may name a variable.
struct WordRange {
    std::size_t begin = 0, end = 0;
};
WordRange pointer_words(const Instruction& instruction) {
    const Op operation = instruction.op();
    switch (operation) {
    case Op::store:
    case Op::copy_memory:
    case Op::copy_memory_sized: return {1, 3};
    case Op::atomic_store:
    case Op::atomic_flag_clear:
    case Op::cooperative_matrix_store_khr:
    case Op::cooperative_matrix_store_nv: return {1, 2};
    case Op::load:
    case Op::array_length:
    case Op::copy_object:
    case Op::access_chain:
    case Op::in_bounds_access_chain:
    case Op::ptr_access_chain:
    case Op::in_bounds_ptr_access_chain:
    case Op::image_texel_pointer:
    case Op::atomic_load:
    case Op::cooperative_matrix_load_khr:
    case Op::cooperative_matrix_load_nv: return {3, 4};
    case Op::function_call:
    case Op::phi:
    case Op::select: return {3, instruction.size()};
    default: return is_atomic_on_third(operation) ? WordRange{3, 4} : WordRange{};
    }
}

/// Returns which variables outside functions are named in `main` and the functions it calls, executed or not.
std::vector<bool> mentioned_variables(const Module& module) {
    std::vector<bool> mentioned(module.variables().size());
    std::vector<bool> called(module.functions().size());
    std::vector<std::uint32_t> left;
    const auto call = [&](std::uint32_t function) {
        if (function != Module::none && !called[function]) {
            called[function] = true;
            left.push_back(function);
        }
    };
    call(module.entry());
    while (!left.empty()) {
        const Module::Function& function = module.functions()[left.back()];
        left.pop_back();
        for (std::uint32_t b = function.first_block; b < function.end_block; ++b) {
            const Module::Block& block = module.blocks()[b];
            for (std::uint32_t at = block.begin; at < block.end;) {
                const Instruction instruction = module.instruction(at);
                if (instruction.size() == 0) {
                    break;
                }
                const auto [begin, end] = pointer_words(instruction);
                for (std::size_t i = begin; i < end; ++i) {
                    const Module::Id& id = module.id(instruction.word(i));
                    if (id.function == Module::none && module.instruction(id.at).op() == Op::variable) {
                        mentioned[id.slot] = true;
                    }
                }
                if (instruction.op() == Op::function_call) {
                    call(module.function_of(instruction.word(3)));
                }
                at += static_cast<std::uint32_t>(instruction.size());
            }
        }
    }
    return mentioned;
}

Reflection::Kind image_kind(const Instruction& type) {
    constexpr std::uint32_t buffer = 5, subpass = 6, with_sampler = 1, without_sampler = 2;
    const std::uint32_t dimension = type.word(3), sampled = type.word(7);
    if (dimension == buffer || dimension == subpass) {
        return Reflection::Kind::other;
    }
    return sampled == with_sampler      ? Reflection::Kind::sampled_image
           : sampled == without_sampler ? Reflection::Kind::storage_image
                                        : Reflection::Kind::other;
}

/// Returns the resource of a variable; nullopt if it has no binding.
std::optional<Reflection::Resource> resource(const Module& module, std::uint32_t variable) {
    const auto binding = module.decoration(variable, DecorationKind::binding);
    if (!binding) {
        return std::nullopt;
    }
    Reflection::Resource made;
    made.set = module.decoration(variable, DecorationKind::descriptor_set).value_or(0);
    made.binding = *binding;
    std::uint32_t id = pointee(module, variable);
    Instruction type = module.definition(id);
    if (type.op() == Op::type_array || type.op() == Op::type_runtime_array) {
        made.is_array = true;
        id = type.word(2);
        type = module.definition(id);
    }
    made.name = module.name(variable).empty() ? module.name(id) : module.name(variable);
    switch (storage_class(module, variable)) {
    case StorageClass::storage_buffer: made.kind = Reflection::Kind::storage_buffer; break;
    case StorageClass::uniform:
        made.kind = module.decoration(id, DecorationKind::buffer_block) ? Reflection::Kind::storage_buffer
                                                                        : Reflection::Kind::uniform_buffer;
        break;
    default:
        made.kind = type.op() == Op::type_image           ? image_kind(type)
                    : type.op() == Op::type_sampled_image ? Reflection::Kind::combined_image_sampler
                    : type.op() == Op::type_sampler       ? Reflection::Kind::sampler
                                                          : Reflection::Kind::other;
    }
    return made;
}

/// Interprets a module without running it. Follows every value that is known, every pointer and every branch that may
/// be taken, repeatedly until nothing changes. A value that is still unknown counts as nothing, so that conditions that
/// stay the same in a loop are known in it. Each call of a function is interpreted separately, because its arguments
/// decide what it does. A variable of a function has one value, whatever the order of its stores.
class Interpreter {
public:
    Interpreter(const Module& module, std::span<const std::optional<std::uint32_t>> push,
                std::vector<Reflection::Resource>& resources, std::vector<Value> variables)
        : module_(module), push_(push), resources_(resources), variables_(std::move(variables)) {
        for (Value& variable : variables_) {
            if (variable.is(VKind::cell)) {
                variable = new_cell(module_.variables()[static_cast<std::size_t>(&variable - variables_.data())]);
            }
        }
    }

    /// Returns the components of a built-in vector that are read, as bits.
    [[nodiscard]] std::uint8_t components(std::uint64_t vector) const { return components_.at(vector); }
    [[nodiscard]] bool loops() const { return loops_; }

    /// Runs until nothing changes. Returns false if the module has no `main` or the maximum number of steps is reached.
    bool run() {
        if (module_.entry() == Module::none) {
            return false;
        }
        Frame main(module_, module_.entry());
        do {
            changed_ = false;
            sweep(main, 0);
            if (!changed_ && is_stuck_ && !undefined_goes_both_ways_) {
                undefined_goes_both_ways_ = true; // the branch's condition will never be defined
                changed_ = true;
            }
        } while (changed_ && steps_ < max_steps);
        return steps_ < max_steps;
    }

private:
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

    Value new_cell(std::uint32_t variable) {
        const Instruction definition = module_.definition(variable);
        cells_.emplace_back();
        if (definition.size() > 4) {
            const auto& known = module_.id(definition.word(4)).constant;
            cells_.back() = known ? Value{VKind::constant, *known} : varying;
        }
        return {VKind::cell, cells_.size() - 1};
    }

    [[nodiscard]] Value value(const Frame& frame, std::uint32_t id) const {
        const Module::Id& known = module_.id(id);
        if (known.constant) {
            return {VKind::constant, *known.constant};
        }
        if (known.function == frame.function && known.slot < frame.values.size()) {
            return frame.values[known.slot];
        }
        const bool is_variable = known.function == Module::none && module_.instruction(known.at).op() == Op::variable;
        return is_variable ? variables_[known.slot] : varying;
    }

    /// Returns a value that stands for both `a` and `b`.
    Value either(const Value& a, const Value& b) {
        if (a == b || b.is(VKind::none)) {
            return a;
        }
        if (a.is(VKind::none)) {
            return b;
        }
        if (a.is(VKind::resources) || b.is(VKind::resources)) {
            return {VKind::resources, (a.is(VKind::resources) ? a.bits : 0) | (b.is(VKind::resources) ? b.bits : 0)};
        }
        for (const Value& one : {a, b}) { // which of them is written or read is no longer known
            lose(one);
            read_components(one, all_components);
        }
        return varying;
    }

    /// Marks components of a built-in vector as read.
    void read_components(const Value& of, std::uint8_t which) {
        if (of.is(VKind::vector) || of.is(VKind::built_in)) {
            components_.at(of.bits) |= which;
        }
    }

    static std::uint8_t component(std::uint64_t index) {
        return index < 3 ? static_cast<std::uint8_t>(1U << index) : all_components;
    }

    /// Marks the built-in vectors that an instruction uses as a whole as read.
    void read_whole_vectors(const Frame& frame, const Instruction& instruction) {
        switch (instruction.op()) {
        case Op::variable:
        case Op::function_call:
        case Op::return_value:
        case Op::load:
        case Op::store:
        case Op::access_chain:
        case Op::in_bounds_access_chain:
        case Op::composite_extract:
        case Op::vector_shuffle:
        case Op::copy_object:
        case Op::bitcast:
        case Op::phi:
        case Op::select: return; // these are followed elsewhere
        default: break;
        }
        for (std::size_t i = 1; i < instruction.size(); ++i) {
            if (module_.definition(instruction.word(i)).op() != Op::label) { // a label's slot is that of a block
                read_components(value(frame, instruction.word(i)), all_components);
            }
        }
    }

    /// Marks the components that a shuffle selects as read. Its literals number the components of both vectors
    /// consecutively.
    void shuffle(const Frame& frame, const Instruction& instruction) {
        const Value first = value(frame, instruction.word(3)), second = value(frame, instruction.word(4));
        const std::uint32_t first_size = module_.definition(module_.type_of(instruction.word(3))).word(3);
        for (std::size_t i = 5; i < instruction.size(); ++i) {
            const std::uint32_t literal = instruction.word(i);
            if (literal < first_size) {
                read_components(first, component(literal));
            } else if (literal != ~0U) {
                read_components(second, component(literal - first_size));
            }
        }
    }

    void lower(Value& known, const Value& by) {
        const Value now = either(known, by);
        if (now != known) {
            known = now;
            changed_ = true;
        }
    }

    /// Forgets the value of the variable that `pointer` points to, because anything may be written to it.
    void lose(Value pointer) {
        while (is_pointer_to_cell(pointer)) {
            Value& cell = cells_[pointer.bits];
            read_components(cell, all_components);
            pointer = cell; // the variable's target can be reached, and is no longer followed
            if (!cell.is(VKind::varying) && !cell.is(VKind::resources)) {
                cell = varying;
                changed_ = true;
            }
        }
    }

    void set(Frame& frame, std::uint32_t id, const Value& by) {
        const Module::Id& known = module_.id(id);
        if (known.function == frame.function && known.slot < frame.values.size()) {
            lower(frame.values[known.slot], by);
        }
    }

    void use(const Value& value, bool reads, bool writes) {
        for (std::uint64_t left = value.is(VKind::resources) ? value.bits : 0; left != 0; left &= left - 1) {
            Reflection::Resource& resource = resources_[static_cast<std::size_t>(std::countr_zero(left))];
            resource.used = true;
            resource.read = resource.read || reads;
            resource.written = resource.written || writes;
        }
    }

    void reach(Frame& frame, std::uint32_t label) {
        const Module::Id& id = module_.id(label);
        const std::size_t block = std::size_t{id.slot} - frame.first_block;
        if (id.function == frame.function && module_.instruction(id.at).op() == Op::label &&
            block < frame.reached.size() && !frame.reached[block]) {
            frame.reached[block] = true;
            changed_ = true;
        }
    }

    /// Calls `visit(label)` for each block that may come after the instruction.
    template <class Visit>
    void for_each_next(const Frame& frame, const Instruction& last, const Visit& visit) {
        if (last.op() == Op::branch) {
            visit(last.word(1));
            return;
        }
        if (last.op() != Op::branch_conditional && last.op() != Op::switch_on) {
            return;
        }
        const Value condition = value(frame, last.word(1));
        if (condition.is(VKind::none) && !undefined_goes_both_ways_) {
            is_stuck_ = true;
            return;
        }
        const bool is_known = condition.is(VKind::constant);
        if (last.op() == Op::branch_conditional) {
            for (const std::size_t side : {2, 3}) {
                if (!is_known || (condition.bits != 0) == (side == 2)) {
                    visit(last.word(side));
                }
            }
            return;
        }
        steps_ += static_cast<std::uint32_t>(last.size());
        const std::size_t literal = module_.width(module_.type_of(last.word(1))) > 32 ? 2 : 1;
        bool is_found = false;
        for (std::size_t i = 3; i + literal < last.size(); i += literal + 1) {
            const std::uint64_t high = literal == 2 ? last.word(i + 1) : 0;
            const bool is_case = is_known && (high << 32U | last.word(i)) == condition.bits;
            is_found = is_found || is_case;
            if (!is_known || is_case) {
                visit(last.word(i + literal));
            }
        }
        if (!is_found) {
            visit(last.word(2));
        }
    }

    /// Checks that control may go from block `from` to block `to`.
    bool may_go(Frame& frame, std::uint32_t from, std::uint32_t to) {
        const Module::Id& id = module_.id(from);
        const std::size_t block = std::size_t{id.slot} - frame.first_block;
        if (id.function != frame.function || block >= frame.reached.size() || !frame.reached[block]) {
            return false;
        }
        bool goes = false;
        for_each_next(frame, module_.instruction(module_.blocks()[id.slot].last),
                      [&](std::uint32_t label) { goes = goes || label == to; });
        return goes;
    }

    void call(Frame& frame, const Instruction& instruction, std::uint32_t at, int depth) {
        const std::uint32_t function = module_.function_of(instruction.word(3));
        if (function == Module::none) {
            return;
        }
        auto& callee = frame.calls[at];
        if (callee == nullptr) {
            callee = std::make_unique<Frame>(module_, function);
            steps_ += static_cast<std::uint32_t>(callee->values.size() + callee->reached.size());
        }
        const auto& parameters = module_.functions()[function].parameters;
        for (std::size_t i = 0; i < parameters.size(); ++i) {
            set(*callee, parameters[i], value(frame, instruction.word(4 + i)));
        }
        sweep(*callee, depth + 1);
        set(frame, instruction.word(2), callee->result);
    }

    Value loaded(const Instruction& instruction, const Value& pointer) {
        switch (pointer.kind) {
        case VKind::none: return pointer;
        case VKind::cell: return cells_[pointer.bits];
        case VKind::built_in: return {VKind::vector, pointer.bits};
        case VKind::part: return cells_[pointer.bits].is(VKind::resources) ? cells_[pointer.bits] : varying;
        case VKind::push: {
            const std::size_t word = pointer.bits / 4;
            const bool is_known =
                module_.width(instruction.word(1)) == 32 && pointer.bits % 4 == 0 && word < push_.size() && push_[word];
            return is_known ? Value{VKind::constant, *push_[word]} : varying;
        }
        case VKind::resources: {
            // A load from a buffer reads its contents; a load from another resource returns a handle.
            std::uint64_t handles = 0;
            for (std::uint64_t left = pointer.bits; left != 0; left &= left - 1) {
                const std::uint64_t bit = left & (0 - left);
                const auto kind = resources_[static_cast<std::size_t>(std::countr_zero(left))].kind;
                const bool is_buffer =
                    kind == Reflection::Kind::storage_buffer || kind == Reflection::Kind::uniform_buffer;
                use({VKind::resources, bit}, is_buffer, false);
                handles |= is_buffer ? 0 : bit;
            }
            return handles != 0 ? Value{VKind::resources, handles} : varying;
        }
        default: return varying;
        }
    }

    void store(const Value& pointer, const Value& by) {
        use(pointer, false, true);
        if (pointer.is(VKind::part)) {
            lose(pointer);
        }
        if (!pointer.is(VKind::cell)) {
            read_components(by, all_components);
        }
        if (pointer.is(VKind::cell) || (pointer.is(VKind::part) && by.is(VKind::resources))) {
            lower(cells_[pointer.bits], by);
        }
    }

    /// Returns a pointer to where a chain of indices leads from byte `at` of the push constants.
    Value push_chain(const Frame& frame, const Instruction& instruction, std::uint64_t at) {
        std::uint32_t type = pointee(module_, instruction.word(3));
        for (std::size_t i = 4; i < instruction.size(); ++i) {
            const Value index = value(frame, instruction.word(i));
            const Instruction definition = module_.definition(type);
            if (!index.is(VKind::constant)) {
                return index.is(VKind::none) ? index : varying;
            }
            const auto number = static_cast<std::uint32_t>(index.bits);
            if (definition.op() == Op::type_struct) {
                at += module_.decoration(type, DecorationKind::offset, number).value_or(0);
                type = definition.word(std::size_t{2} + number);
            } else if (definition.op() == Op::type_array || definition.op() == Op::type_vector) {
                const std::uint64_t stride = definition.op() == Op::type_vector
                                                 ? module_.bytes(definition.word(2))
                                                 : module_.decoration(type, DecorationKind::array_stride).value_or(0);
                at += number * stride;
                type = definition.word(2);
            } else {
                return varying;
            }
        }
        return {VKind::push, at};
    }

    Value chain(const Frame& frame, const Instruction& instruction) {
        const Value base = value(frame, instruction.word(3));
        const bool is_plain = instruction.op() == Op::access_chain || instruction.op() == Op::in_bounds_access_chain;
        const bool is_cell = is_pointer_to_cell(base);
        if (base.is(VKind::built_in) || (is_cell && cells_[base.bits].is(VKind::vector))) {
            const Value index = instruction.size() > 4 ? value(frame, instruction.word(4)) : Value{VKind::constant, 3};
            if (!index.is(VKind::none)) {
                read_components(is_cell ? cells_[base.bits] : base,
                                is_plain && index.is(VKind::constant) ? component(index.bits) : all_components);
            }
            if (!is_cell) {
                return varying;
            }
        }
        if (is_cell) {
            return {instruction.size() > 4 ? VKind::part : base.kind, base.bits};
        }
        if (base.is(VKind::push)) {
            return is_plain ? push_chain(frame, instruction, base.bits) : varying;
        }
        return base;
    }

    /// Applies the effects of an instruction, except its result.
    void act(Frame& frame, const Instruction& instruction) {
        const auto operand = [&](std::size_t i) { return value(frame, instruction.word(i)); };
        const Op operation = instruction.op();
        if (is_atomic_on_third(operation)) {
            use(operand(3), true, true);
            lose(operand(3));
        } else if (reads_image(operation)) {
            use(operand(3), true, false);
        } else if (operation >= Op::image_query_first && operation <= Op::image_query_last) {
            use(operand(3), false, false);
        }
        switch (operation) {
        case Op::store: store(operand(1), operand(2)); break;
        case Op::copy_memory:
        case Op::copy_memory_sized:
            use(operand(2), true, false);
            if (const Value from = operand(2); is_pointer_to_cell(from)) {
                read_components(cells_[from.bits], all_components);
            }
            store(operand(1), varying);
            break;
        case Op::atomic_store:
        case Op::atomic_flag_clear:
        case Op::cooperative_matrix_store_khr:
        case Op::cooperative_matrix_store_nv: store(operand(1), varying); break;
        case Op::atomic_load:
        case Op::cooperative_matrix_load_khr:
        case Op::cooperative_matrix_load_nv: use(operand(3), true, false); break;
        case Op::image_write: use(operand(1), false, true); break;
        case Op::array_length: use(operand(3), false, false); break;
        case Op::vector_shuffle: shuffle(frame, instruction); break;
        case Op::loop_merge: loops_ = true; break;
        case Op::ext_inst: // some return a second result through a pointer; those for debuggers write nothing
            for (std::size_t i = 5; i < instruction.size() && module_.is_glsl(instruction.word(3)); ++i) {
                store(operand(i), varying);
            }
            break;
        default: break;
        }
    }

    Value result(Frame& frame, const Instruction& instruction, std::uint32_t label) {
        const auto operand = [&](std::size_t i) { return value(frame, instruction.word(i)); };
        switch (instruction.op()) {
        case Op::load: return loaded(instruction, operand(3));
        case Op::access_chain:
        case Op::in_bounds_access_chain:
        case Op::ptr_access_chain:
        case Op::in_bounds_ptr_access_chain: return chain(frame, instruction);
        case Op::copy_object:
        case Op::image_texel_pointer:
        case Op::image: return operand(3);
        case Op::sampled_image: return either(operand(3), operand(4));
        case Op::composite_extract:
        case Op::bitcast: {
            const Value from = operand(3);
            if (from.is(VKind::vector)) {
                if (instruction.op() == Op::bitcast) {
                    return from;
                }
                read_components(from, component(instruction.word(4)));
                return varying;
            }
            return evaluated(frame, instruction);
        }
        case Op::phi: {
            Value met;
            for (std::size_t i = 3; i + 1 < instruction.size(); i += 2) {
                if (may_go(frame, instruction.word(i + 1), label)) {
                    met = either(met, operand(i));
                }
            }
            return met;
        }
        case Op::select: {
            const Value condition = operand(3);
            return condition.is(VKind::constant) ? operand(condition.bits != 0 ? 4 : 5)
                   : condition.is(VKind::none)   ? condition
                                                 : either(operand(4), operand(5));
        }
        default: return evaluated(frame, instruction);
        }
    }

    [[nodiscard]] Value evaluated(const Frame& frame, const Instruction& instruction) const {
        return module_.evaluate(instruction.op(), instruction.word(1), instruction, 3,
                                [&](std::uint32_t id) { return value(frame, id); });
    }

    void step(Frame& frame, const Instruction& instruction, std::uint32_t at, std::uint32_t label, int depth) {
        const Op operation = instruction.op();
        read_whole_vectors(frame, instruction);
        if (operation == Op::variable) {
            const Module::Id& id = module_.id(instruction.word(2));
            const bool is_own = id.at == at && id.function == frame.function && id.slot < frame.values.size();
            if (is_own && frame.values[id.slot].is(VKind::none)) {
                set(frame, instruction.word(2), new_cell(instruction.word(2)));
            }
        } else if (operation == Op::function_call) {
            call(frame, instruction, at, depth);
        } else if (operation == Op::return_value) {
            lower(frame.result, value(frame, instruction.word(1)));
        } else if (operation == Op::branch || operation == Op::branch_conditional || operation == Op::switch_on) {
            for_each_next(frame, instruction, [&](std::uint32_t next) { reach(frame, next); });
        } else {
            act(frame, instruction);
            if (module_.id(instruction.word(2)).at == at) {
                set(frame, instruction.word(2), result(frame, instruction, label));
            }
        }
    }

    void sweep(Frame& frame, int depth) {
        if (depth > deepest_call) {
            steps_ = max_steps;
        }
        steps_ += static_cast<std::uint32_t>(frame.reached.size());
        for (std::uint32_t b = 0; b < frame.reached.size(); ++b) {
            const Module::Block& block = module_.blocks()[frame.first_block + b];
            for (std::uint32_t at = block.begin; frame.reached[b] && at < block.end && steps_ < max_steps;) {
                const Instruction instruction = module_.instruction(at);
                if (instruction.size() == 0) {
                    break;
                }
                steps_ += static_cast<std::uint32_t>(instruction.size());
                step(frame, instruction, at, block.label, depth);
                at += static_cast<std::uint32_t>(instruction.size());
            }
        }
    }

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

} // namespace

Reflection reflect(std::span<const std::uint32_t> spirv, std::span<const std::uint32_t> constants,
                   std::span<const std::optional<std::uint32_t>> push) {
    const Module module(spirv, constants);
    const std::vector<bool> mentioned = mentioned_variables(module);
    Reflection reflection;
    reflection.workgroup_size = module.workgroup_size();
    auto& resources = reflection.resources;
    std::vector<Value> variables(mentioned.size(), {Value::Kind::varying, 0});
    for (std::size_t i = 0; i < mentioned.size(); ++i) {
        const std::uint32_t variable = module.variables()[i];
        const StorageClass storage = storage_class(module, variable);
        if (storage == StorageClass::private_) {
            variables[i] = {Value::Kind::cell, 0};
        } else if (storage == StorageClass::input) {
            if (const auto vector = built_in_vector(module, variable)) {
                variables[i] = {Value::Kind::built_in, *vector};
            }
        } else if (storage == StorageClass::push_constant && mentioned[i]) {
            variables[i] = {Value::Kind::push, 0};
            reflection.push_bytes = std::max(reflection.push_bytes, module.bytes(pointee(module, variable)));
        } else if (auto bound = mentioned[i] ? resource(module, variable) : std::nullopt) {
            const auto same = [&](const Reflection::Resource& known) {
                return known.set == bound->set && known.binding == bound->binding && known.kind == bound->kind;
            };
            const auto at = std::find_if(resources.begin(), resources.end(), same);
            const auto index = static_cast<std::size_t>(at - resources.begin());
            if (at == resources.end()) {
                resources.push_back(std::move(*bound));
            }
            if (index < max_resources) {
                variables[i] = {Value::Kind::resources, std::uint64_t{1} << index};
            }
        }
    }
    Interpreter interpreter(module, push, resources, std::move(variables));
    reflection.followed = interpreter.run() && resources.size() <= max_resources;
    reflection.place = interpreter.components(place_vector);
    reflection.group_counts = interpreter.components(group_counts_vector);
    reflection.loops = interpreter.loops();
    return reflection;
}

const char* to_string(Reflection::Kind kind) {
    constexpr std::array names{"storage buffer",         "uniform buffer", "storage image", "sampled image",
                               "combined image sampler", "sampler",        "resource"};
    return name_in(names, kind);
}

} // namespace weir
