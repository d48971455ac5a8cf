#include "engine/spirv/interpreter.hpp"

#include <bit>
#include <utility>

namespace weir::spirv {

namespace {

constexpr std::uint32_t max_steps = 1U << 23U; // words; some hundred times the need of a large kernel
constexpr int deepest_call = 100;

bool reads_image(Op operation) {
    return (operation >= Op::image_sample_first && operation <= Op::image_read) ||
           (operation >= Op::image_sparse_first && operation <= Op::image_sparse_gather_last) ||
           operation == Op::image_sparse_read;
}

} // namespace

Interpreter::Interpreter(const Module& module, std::span<const std::optional<std::uint32_t>> push,
                         std::vector<Reflection::Resource>& resources, std::vector<Value> variables)
    : module_(module), push_(push), resources_(resources), variables_(std::move(variables)) {
    for (Value& variable : variables_) {
        if (variable.is(VKind::cell)) {
            variable = new_cell(module_.variables()[static_cast<std::size_t>(&variable - variables_.data())]);
        }
    }
}

bool Interpreter::run() {
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

Value Interpreter::new_cell(std::uint32_t variable) {
    const Instruction definition = module_.definition(variable);
    cells_.emplace_back();
    if (definition.size() > 4) {
        const auto& known = module_.id(definition.word(4)).constant;
        cells_.back() = known ? Value{VKind::constant, *known} : varying;
    }
    return {VKind::cell, cells_.size() - 1};
}

Value Interpreter::value(const Frame& frame, std::uint32_t id) const {
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

Value Interpreter::either(const Value& a, const Value& b) {
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

void Interpreter::read_components(const Value& of, std::uint8_t which) {
    if (of.is(VKind::vector) || of.is(VKind::built_in)) {
        components_.at(of.bits) |= which;
    }
}

std::uint8_t Interpreter::component(std::uint64_t index) {
    return index < 3 ? static_cast<std::uint8_t>(1U << index) : all_components;
}

void Interpreter::read_whole_vectors(const Frame& frame, const Instruction& instruction) {
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

void Interpreter::shuffle(const Frame& frame, const Instruction& instruction) {
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

void Interpreter::lower(Value& known, const Value& by) {
    const Value now = either(known, by);
    if (now != known) {
        known = now;
        changed_ = true;
    }
}

void Interpreter::lose(Value pointer) {
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

void Interpreter::set(Frame& frame, std::uint32_t id, const Value& by) {
    const Module::Id& known = module_.id(id);
    if (known.function == frame.function && known.slot < frame.values.size()) {
        lower(frame.values[known.slot], by);
    }
}

void Interpreter::use(const Value& value, bool reads, bool writes) {
    for (std::uint64_t left = value.is(VKind::resources) ? value.bits : 0; left != 0; left &= left - 1) {
        Reflection::Resource& resource = resources_[static_cast<std::size_t>(std::countr_zero(left))];
        resource.used = true;
        resource.read = resource.read || reads;
        resource.written = resource.written || writes;
    }
}

void Interpreter::reach(Frame& frame, std::uint32_t label) {
    const Module::Id& id = module_.id(label);
    const std::size_t block = std::size_t{id.slot} - frame.first_block;
    if (id.function == frame.function && module_.instruction(id.at).op() == Op::label && block < frame.reached.size() &&
        !frame.reached[block]) {
        frame.reached[block] = true;
        changed_ = true;
    }
}

template <class Visit>
void Interpreter::for_each_next(const Frame& frame, const Instruction& last, const Visit& visit) {
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

bool Interpreter::may_go(Frame& frame, std::uint32_t from, std::uint32_t to) {
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

void Interpreter::call(Frame& frame, const Instruction& instruction, std::uint32_t at, int depth) {
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

Value Interpreter::loaded(const Instruction& instruction, const Value& pointer) {
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
            const bool is_buffer = kind == Reflection::Kind::storage_buffer || kind == Reflection::Kind::uniform_buffer;
            use({VKind::resources, bit}, is_buffer, false);
            handles |= is_buffer ? 0 : bit;
        }
        return handles != 0 ? Value{VKind::resources, handles} : varying;
    }
    default: return varying;
    }
}

void Interpreter::store(const Value& pointer, const Value& by) {
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

Value Interpreter::push_chain(const Frame& frame, const Instruction& instruction, std::uint64_t at) {
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

Value Interpreter::chain(const Frame& frame, const Instruction& instruction) {
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

void Interpreter::act(Frame& frame, const Instruction& instruction) {
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

Value Interpreter::result(Frame& frame, const Instruction& instruction, std::uint32_t label) {
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

Value Interpreter::evaluated(const Frame& frame, const Instruction& instruction) const {
    return module_.evaluate(instruction.op(), instruction.word(1), instruction, 3,
                            [&](std::uint32_t id) { return value(frame, id); });
}

void Interpreter::step(Frame& frame, const Instruction& instruction, std::uint32_t at, std::uint32_t label, int depth) {
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

void Interpreter::sweep(Frame& frame, int depth) {
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

} // namespace weir::spirv
