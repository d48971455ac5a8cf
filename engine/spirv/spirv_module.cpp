#include "engine/spirv/spirv_module.hpp"

#include <algorithm>
#include <cstring>
#include <tuple>

namespace weir::spirv {

namespace {

constexpr std::uint32_t compute_model = 5;
constexpr std::uint32_t local_size = 17, local_size_id = 38; // execution modes
constexpr std::uint32_t workgroup_size_built_in = 25;
constexpr std::uint32_t max_ids = 0x3fffff; // a limit of SPIR-V itself
constexpr int deepest_array = 16;

/// Checks that the result of such an instruction in a function is followed.
bool is_followed(Op operation) {
    switch (operation) {
    case Op::function_parameter:
    case Op::function_call:
    case Op::variable:
    case Op::image_texel_pointer:
    case Op::load:
    case Op::access_chain:
    case Op::in_bounds_access_chain:
    case Op::ptr_access_chain:
    case Op::in_bounds_ptr_access_chain:
    case Op::copy_object:
    case Op::sampled_image:
    case Op::image:
    case Op::phi: return true;
    default: return Module::folds(operation);
    }
}

std::uint64_t low_bits(std::uint64_t value, std::uint32_t width) {
    return width >= 64 ? value : value & ((std::uint64_t{1} << width) - 1);
}

std::int64_t sign_extended(std::uint64_t value, std::uint32_t width) {
    const std::uint64_t sign = std::uint64_t{1} << (width - 1);
    return static_cast<std::int64_t>((low_bits(value, width) ^ sign) - sign);
}

/// Returns the result for integers of `width` bits; nullopt if SPIR-V does not define it or the operation is not
/// supported.
std::optional<std::uint64_t> calculate(Op operation, std::uint32_t width, std::uint64_t a, std::uint64_t b) {
    const std::int64_t signed_a = sign_extended(a, width), signed_b = sign_extended(b, width);
    const bool divides = b != 0 && signed_b != -1; // the minimum divided by -1 overflows
    switch (operation) {
    case Op::copy_object:
    case Op::u_convert:
    case Op::bitcast: return a;
    case Op::s_convert: return static_cast<std::uint64_t>(signed_a);
    case Op::s_negate: return 0 - a;
    case Op::i_add: return a + b;
    case Op::i_sub: return a - b;
    case Op::i_mul: return a * b;
    case Op::u_div: return b != 0 ? std::optional(a / b) : std::nullopt;
    case Op::u_mod: return b != 0 ? std::optional(a % b) : std::nullopt;
    case Op::s_div: return divides ? std::optional(static_cast<std::uint64_t>(signed_a / signed_b)) : std::nullopt;
    case Op::s_rem: return divides ? std::optional(static_cast<std::uint64_t>(signed_a % signed_b)) : std::nullopt;
    case Op::logical_not: return a == 0;
    case Op::logical_equal:
    case Op::i_equal: return a == b;
    case Op::logical_not_equal:
    case Op::i_not_equal: return a != b;
    case Op::u_greater: return a > b;
    case Op::u_greater_equal: return a >= b;
    case Op::u_less: return a < b;
    case Op::u_less_equal: return a <= b;
    case Op::s_greater: return signed_a > signed_b;
    case Op::s_greater_equal: return signed_a >= signed_b;
    case Op::s_less: return signed_a < signed_b;
    case Op::s_less_equal: return signed_a <= signed_b;
    case Op::shift_left_logical: return b < width ? std::optional(a << b) : std::nullopt;
    case Op::shift_right_logical: return b < width ? std::optional(a >> b) : std::nullopt;
    case Op::shift_right_arithmetic:
        return b < width ? std::optional(static_cast<std::uint64_t>(signed_a >> b)) : std::nullopt;
    case Op::bitwise_or: return a | b;
    case Op::bitwise_xor: return a ^ b;
    case Op::bitwise_and: return a & b;
    case Op::bitwise_not: return ~a;
    default: return std::nullopt;
    }
}

bool has_one_operand(Op operation) {
    return operation == Op::copy_object || operation == Op::u_convert || operation == Op::s_convert ||
           operation == Op::bitcast || operation == Op::s_negate || operation == Op::logical_not ||
           operation == Op::bitwise_not;
}

Value of_bits(std::uint64_t bits) {
    return {Value::Kind::constant, bits};
}

constexpr Value varying{Value::Kind::varying, 0};

} // namespace

std::string_view literal(std::span<const std::uint32_t> words) {
    const auto* text = reinterpret_cast<const char*>(words.data());
    const void* end = words.empty() ? nullptr : std::memchr(text, 0, words.size_bytes());
    return end != nullptr ? std::string_view(text) : std::string_view();
}

bool Module::folds(Op operation) {
    switch (operation) {
    case Op::composite_extract:
    case Op::logical_or:
    case Op::logical_and:
    case Op::select: return true;
    default: return calculate(operation, 32, 1, 1).has_value();
    }
}

Module::Module(std::span<const std::uint32_t> words, std::span<const std::uint32_t> constants) : words_(words) {
    const bool has_header = words.size() >= header_words && words[3] <= max_ids;
    ids_.resize(has_header ? std::max(1U, words[3]) : 1);
    const auto for_each = [&](const auto& visit) {
        for (std::size_t at = header_words; has_header && at < words.size();) {
            const Instruction next = instruction(static_cast<std::uint32_t>(at));
            if (next.size() == 0) {
                break;
            }
            visit(next, static_cast<std::uint32_t>(at));
            at += next.size();
        }
    };
    for_each([&](const Instruction& next, std::uint32_t) {
        const auto word = [&](std::size_t i) { return next.word(i); };
        if (next.op() == Op::decorate || next.op() == Op::decorate_id) {
            decorations_.push_back({word(1), none, DecorationKind{word(2)}, word(3)});
        } else if (next.op() == Op::member_decorate) {
            decorations_.push_back({word(1), word(2), DecorationKind{word(3)}, word(4)});
        }
    });
    std::stable_sort(decorations_.begin(), decorations_.end(), [](const Decoration& a, const Decoration& b) {
        return std::tie(a.id, a.member) < std::tie(b.id, b.member);
    });
    for_each([&](const Instruction& next, std::uint32_t at) { read(next, at, constants); });
    if (!blocks_.empty() && blocks_.back().end == 0) {
        blocks_.back().end = static_cast<std::uint32_t>(words.size());
    }
    if (!functions_.empty()) {
        functions_.back().end_block = static_cast<std::uint32_t>(blocks_.size());
    }
}

Instruction Module::instruction(std::uint32_t at) const {
    if (at < header_words || at >= words_.size()) {
        return {};
    }
    const std::size_t length = words_[at] >> 16U;
    return {length <= words_.size() - at ? words_.subspan(at, length) : std::span<const std::uint32_t>()};
}

void Module::define(std::uint32_t id, std::uint32_t at, std::uint32_t slot) {
    if (id != 0 && id < ids_.size()) {
        ids_[id].at = at;
        ids_[id].slot = slot;
        ids_[id].function = in_function_ ? static_cast<std::uint32_t>(functions_.size() - 1) : none;
    }
}

void Module::read(const Instruction& instruction, std::uint32_t at, std::span<const std::uint32_t> constants) {
    const auto word = [&](std::size_t i) { return instruction.word(i); };
    if (in_function_) {
        read_in_function(instruction, at);
        return;
    }
    constexpr std::uint32_t hlsl = 5, slang = 11;
    switch (instruction.op()) {
    case Op::source: is_hlsl_ = is_hlsl_ || word(1) == hlsl || word(1) == slang; break;
    case Op::name:
        if (word(1) < ids_.size()) {
            ids_[word(1)].name = at + 2;
        }
        break;
    case Op::entry_point:
        if (word(1) == compute_model && instruction.size() > 3 && literal(instruction.words.subspan(3)) == "main") {
            entry_ = word(2);
        }
        break;
    case Op::execution_mode:
    case Op::execution_mode_id:
        if (word(1) == entry_ && word(2) == (instruction.op() == Op::execution_mode ? local_size : local_size_id)) {
            size_mode_ = at;
        }
        break;
    case Op::type_struct: {
        std::uint64_t bytes = 0;
        for (std::uint32_t i = 2; i < instruction.size(); ++i) {
            const std::uint64_t offset = decoration(word(1), DecorationKind::offset, i - 2).value_or(0);
            bytes = std::max(bytes, offset + this->bytes(word(i), word(1), i - 2));
        }
        define(word(1), at, static_cast<std::uint32_t>(struct_bytes_.size()));
        struct_bytes_.push_back(bytes);
        break;
    }
    case Op::ext_inst_import:
    case Op::type_bool:
    case Op::type_int:
    case Op::type_float:
    case Op::type_vector:
    case Op::type_matrix:
    case Op::type_image:
    case Op::type_sampler:
    case Op::type_sampled_image:
    case Op::type_array:
    case Op::type_runtime_array:
    case Op::type_pointer: define(word(1), at); break;
    case Op::constant_true:
    case Op::constant_false:
    case Op::constant:
    case Op::constant_composite:
    case Op::constant_null:
    case Op::spec_constant_true:
    case Op::spec_constant_false:
    case Op::spec_constant:
    case Op::spec_constant_composite:
    case Op::spec_constant_op:
        define(word(2), at);
        if (word(2) != 0 && word(2) < ids_.size()) {
            ids_[word(2)].constant = constant(instruction, constants);
        }
        if (decoration(word(2), DecorationKind::built_in) == workgroup_size_built_in) {
            built_in_size_ = word(2);
        }
        break;
    case Op::variable:
        define(word(2), at, static_cast<std::uint32_t>(variables_.size()));
        variables_.push_back(word(2));
        break;
    case Op::function:
        define(word(2), at, static_cast<std::uint32_t>(functions_.size()));
        functions_.push_back({.first_block = static_cast<std::uint32_t>(blocks_.size()), .end_block = 0});
        in_function_ = true;
        break;
    default: break;
    }
}

void Module::read_in_function(const Instruction& instruction, std::uint32_t at) {
    const Op operation = instruction.op();
    Function& function = functions_.back();
    const bool in_block = blocks_.size() > function.first_block;
    if (in_block && (operation == Op::label || operation == Op::function_end)) {
        blocks_.back().end = at;
    } else if (in_block) {
        blocks_.back().last = at;
    }
    if (operation == Op::label) {
        define(instruction.word(1), at, static_cast<std::uint32_t>(blocks_.size()));
        blocks_.push_back({.label = instruction.word(1), .begin = at + static_cast<std::uint32_t>(instruction.size())});
    } else if (operation == Op::function_end) {
        function.end_block = static_cast<std::uint32_t>(blocks_.size());
        in_function_ = false;
    } else if (is_followed(operation)) {
        define(instruction.word(2), at, function.slots++);
        if (operation == Op::function_parameter) {
            function.parameters.push_back(instruction.word(2));
        }
    }
}

std::optional<std::uint64_t> Module::constant(const Instruction& instruction,
                                              std::span<const std::uint32_t> constants) const {
    const std::uint32_t type = instruction.word(1), result = instruction.word(2), bits = width(type);
    if (bits == 0) {
        return std::nullopt;
    }
    const auto specialized = [&]() -> std::optional<std::uint32_t> {
        const auto id = decoration(result, DecorationKind::spec_id);
        return id && *id < constants.size() ? std::optional(constants[*id]) : std::nullopt;
    };
    switch (instruction.op()) {
    case Op::constant_true: return 1;
    case Op::constant_false:
    case Op::constant_null: return 0;
    case Op::spec_constant_true:
    case Op::spec_constant_false:
        return specialized().value_or(instruction.op() == Op::spec_constant_true ? 1 : 0) != 0 ? 1 : 0;
    case Op::spec_constant:
        if (const auto value = specialized()) {
            return low_bits(*value, bits);
        }
        [[fallthrough]];
    case Op::constant: return low_bits(instruction.word(3) | std::uint64_t{instruction.word(4)} << 32U, bits);
    case Op::spec_constant_op: {
        const Value value = evaluate(static_cast<Op>(instruction.word(3)), type, instruction, 4, [&](std::uint32_t id) {
            const auto& known = this->id(id).constant;
            return known ? of_bits(*known) : varying;
        });
        return value.is(Value::Kind::constant) ? std::optional(value.bits) : std::nullopt;
    }
    default: return std::nullopt;
    }
}

std::uint32_t Module::function_of(std::uint32_t id) const {
    return definition(id).op() == Op::function ? this->id(id).slot : none;
}

std::array<std::optional<std::uint32_t>, 3> Module::workgroup_size() const {
    // Both instructions list the sizes from the fourth word on.
    const Instruction from = built_in_size_ != 0 ? definition(built_in_size_) : instruction(size_mode_);
    std::array<std::optional<std::uint32_t>, 3> size;
    for (std::size_t i = 0; i < size.size() && from.size() > i + 3; ++i) {
        const std::uint32_t word = from.word(i + 3);
        if (from.op() == Op::execution_mode) {
            size[i] = word;
        } else if (const auto& known = id(word).constant) {
            size[i] = static_cast<std::uint32_t>(*known);
        }
    }
    return size;
}

bool Module::is_by_glslang() const {
    constexpr std::uint32_t glslang = 8, shaderc = 13; // numbers in Khronos's list of generators
    const std::uint32_t generator = words_.size() > header_words ? words_[2] >> 16U : 0;
    return generator == glslang || generator == shaderc;
}

bool Module::is_glsl(std::uint32_t id) const {
    const Instruction set = definition(id);
    return set.op() == Op::ext_inst_import && set.size() > 2 && literal(set.words.subspan(2)) == "GLSL.std.450";
}

std::string_view Module::name(std::uint32_t id) const {
    const std::uint32_t at = this->id(id).name;
    return at != 0 && at <= words_.size() ? literal(words_.subspan(at)) : std::string_view();
}

std::uint32_t Module::width(std::uint32_t type) const {
    const Instruction definition = this->definition(type);
    const std::uint32_t bits = definition.op() == Op::type_bool  ? 1
                               : definition.op() == Op::type_int ? definition.word(2)
                                                                 : 0;
    return bits <= 64 ? bits : 0;
}

std::optional<std::uint32_t> Module::decoration(std::uint32_t id, DecorationKind kind, std::uint32_t member) const {
    const auto wanted = std::tie(id, member);
    auto at = std::lower_bound(decorations_.begin(), decorations_.end(), wanted,
                               [](const Decoration& a, auto& b) { return std::tie(a.id, a.member) < b; });
    for (; at != decorations_.end() && std::tie(at->id, at->member) == wanted; ++at) {
        if (at->kind == kind) {
            return at->value;
        }
    }
    return std::nullopt;
}

std::uint64_t Module::bytes(std::uint32_t type, std::uint32_t parent, std::uint32_t member) const {
    // Adds up where the last elements start, from the outermost array inwards.
    std::uint64_t before = 0;
    Instruction definition = this->definition(type);
    for (int depth = 0; definition.op() == Op::type_array && depth < deepest_array; ++depth) {
        const std::uint64_t elements = id(definition.word(3)).constant.value_or(0);
        const std::uint64_t stride = decoration(type, DecorationKind::array_stride).value_or(0);
        before += (std::max<std::uint64_t>(elements, 1) - 1) * stride;
        type = definition.word(2);
        definition = this->definition(type);
    }
    const auto scalar_or_vector = [&](std::uint32_t of) -> std::uint64_t {
        const Instruction it = this->definition(of);
        return it.op() == Op::type_vector ? std::uint64_t{it.word(3)} * this->definition(it.word(2)).word(2) / 8
                                          : it.word(2) / 8;
    };
    switch (definition.op()) {
    case Op::type_struct: return before + struct_bytes_[id(type).slot];
    case Op::type_matrix: {
        const std::uint64_t stride = decoration(parent, DecorationKind::matrix_stride, member).value_or(0);
        const std::uint32_t column = definition.word(2);
        const std::uint64_t columns = definition.word(3), rows = this->definition(column).word(3);
        if (decoration(parent, DecorationKind::row_major, member)) {
            const std::uint64_t scalar = scalar_or_vector(this->definition(column).word(2));
            return before + (std::max<std::uint64_t>(rows, 1) - 1) * stride + columns * scalar;
        }
        return before + (std::max<std::uint64_t>(columns, 1) - 1) * stride + scalar_or_vector(column);
    }
    case Op::type_int:
    case Op::type_float:
    case Op::type_vector: return before + scalar_or_vector(type);
    case Op::type_pointer: return before + 8; // a buffer's address
    default: return 0;
    }
}

Value Module::extracted(const Instruction& instruction, std::size_t first) const {
    std::uint32_t from = instruction.word(first);
    for (std::size_t i = first + 1; i < instruction.size(); ++i) {
        const Instruction composite = definition(from);
        if (composite.op() != Op::constant_composite && composite.op() != Op::spec_constant_composite) {
            return varying;
        }
        from = composite.word(std::size_t{3} + instruction.word(i));
    }
    const auto& known = id(from).constant;
    return known ? of_bits(*known) : varying;
}

Value Module::fold(Op operation, std::uint32_t width, std::uint32_t operand_width, const Operands& operands) {
    const auto& [a, b, c] = operands;
    const auto is = [](const Value& value, std::uint64_t bits) { return value == of_bits(bits); };
    if (operation == Op::logical_and && (is(a, 0) || is(b, 0))) {
        return of_bits(0);
    }
    if (operation == Op::logical_or && (is(a, 1) || is(b, 1))) {
        return of_bits(1);
    }
    if (operation == Op::select) {
        return a.is(Value::Kind::constant) ? (a.bits != 0 ? b : c) : a.is(Value::Kind::none) ? a : varying;
    }
    const bool has_two = !has_one_operand(operation);
    if (width == 0 || a.is(Value::Kind::varying) || (has_two && b.is(Value::Kind::varying))) {
        return varying;
    }
    if (a.is(Value::Kind::none) || (has_two && b.is(Value::Kind::none))) {
        return {};
    }
    if (!a.is(Value::Kind::constant) || (has_two && !b.is(Value::Kind::constant)) || operand_width == 0) {
        return varying;
    }
    if (operation == Op::logical_and || operation == Op::logical_or) {
        return of_bits(operation == Op::logical_and ? 1 : 0); // neither operand decided it alone
    }
    const auto result = calculate(operation, operand_width, a.bits, b.bits);
    return result ? of_bits(low_bits(*result, width)) : varying;
}

} // namespace weir::spirv
