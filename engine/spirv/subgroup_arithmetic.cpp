#include "engine/spirv/subgroup_arithmetic.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <initializer_list>
#include <limits>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "engine/base/propagate.hpp"
#include "engine/spirv/spirv_module.hpp"

namespace weir {

namespace shuffles { // other files of a unity build have equal names
namespace {

using Words = std::vector<std::uint32_t>;
using spirv::Instruction, spirv::emit;

// Numbers of the SPIR-V specification.
enum : std::uint32_t {
    op_entry_point = 15,
    op_capability = 17,
    op_type_bool = 20,
    op_type_int = 21,
    op_type_float = 22,
    op_type_vector = 23,
    op_type_pointer = 32,
    op_constant = 43,
    op_constant_composite = 44,
    op_constant_null = 46,
    op_constant_true = 41,
    op_function = 54,
    op_variable = 59,
    op_load = 61,
    op_decorate = 71,
    op_composite_construct = 80,
    op_copy_object = 83,
    op_i_add = 128,
    op_f_add = 129,
    op_i_sub = 130,
    op_i_mul = 132,
    op_f_mul = 133,
    op_is_nan = 156,
    op_logical_not_equal = 165,
    op_logical_or = 166,
    op_logical_and = 167,
    op_select = 169,
    op_u_less_than = 176,
    op_s_less_than = 177,
    op_f_less_than = 184,
    op_bitwise_or = 197,
    op_bitwise_xor = 198,
    op_bitwise_and = 199,
    op_control_barrier = 224,
    op_shuffle = 345,
    op_first_arithmetic = 349, // OpGroupNonUniformIAdd; the others follow
    op_last_arithmetic = 364,
};
enum : std::uint32_t { capability_basic = 61, capability_arithmetic = 63, capability_shuffle = 65 };
enum : std::uint32_t { decoration_built_in = 11, built_in_subgroup_size = 36, built_in_lane = 41, class_input = 1 };
constexpr std::uint32_t decoration_no_contraction = 42;
enum : std::uint32_t { group_reduce = 0, group_inclusive = 1, group_exclusive = 2 };
constexpr std::uint32_t subgroup_scope = 3;

/// An operation over the lanes, defined by how two of them are combined.
struct Operator {
    std::uint32_t combine = 0; ///< operation on two values, or a comparison
    bool is_less = false;      ///< takes the lesser value
    bool is_greater = false;   ///< takes the greater value
    /// Identity: the bits of an integer, sign-extended; a number for floats.
    std::int64_t identity = 0;
    double float_identity = 0;
};

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::int64_t max_value = std::numeric_limits<std::int64_t>::max(); // shifted right to the width of the type
constexpr std::int64_t min_value = std::numeric_limits<std::int64_t>::min();

/// By opcode, from op_first_arithmetic on.
constexpr std::array<Operator, op_last_arithmetic - op_first_arithmetic + 1> operators{{
    {op_i_add},
    {op_f_add},
    {op_i_mul, false, false, 1},
    {op_f_mul, false, false, 0, 1},
    {op_s_less_than, true, false, max_value},
    {op_u_less_than, true, false, -1},
    {op_f_less_than, true, false, 0, infinity},
    {op_s_less_than, false, true, min_value},
    {op_u_less_than, false, true, 0},
    {op_f_less_than, false, true, 0, -infinity},
    {op_bitwise_and, false, false, -1},
    {op_bitwise_or},
    {op_bitwise_xor},
    {op_logical_and, false, false, 1},
    {op_logical_or},
    {op_logical_not_equal},
}};

bool is_arithmetic(const Instruction& one) {
    return one.opcode() >= op_first_arithmetic && one.opcode() <= op_last_arithmetic && one.size() >= 6;
}

class Rewriter {
public:
    Rewriter(std::span<const std::uint32_t> words, std::uint32_t largest, bool barriers)
        : words_(words), largest_(largest), barriers_(barriers), next_id_(words[3]) {}

    Result<Words> run() {
        read();
        if (arithmetic_.empty()) {
            return assemble({});
        }
        prepare();
        std::map<const std::uint32_t*, Words> replaced;
        for (const Instruction& instruction : arithmetic_) {
            auto by = replace(instruction);
            WEIR_PROPAGATE(by);
            replaced.emplace(instruction.words.data(), std::move(*by));
        }
        return assemble(replaced);
    }

private:
    struct Type {
        std::uint32_t op = 0, width = 0, components = 1, component = 0;
    };

    /// Collects existing declarations, because types must not be declared twice.
    void read() {
        spirv::for_each_instruction(words_, [&](const Instruction& one) {
            switch (one.opcode()) {
            case op_capability: capabilities_.push_back(one.word(1)); break;
            case op_decorate:
                if (one.word(2) == decoration_built_in) {
                    built_ins_.emplace(one.word(3), one.word(1));
                }
                break;
            case op_variable: variables_.push_back(one.word(2)); break;
            case op_type_bool:
            case op_type_int:
            case op_type_float: types_[one.word(1)] = {one.opcode(), one.word(2)}; break;
            case op_type_vector: types_[one.word(1)] = {op_type_vector, 0, one.word(3), one.word(2)}; break;
            case op_type_pointer: pointers_[{one.word(2), one.word(3)}] = one.word(1); break;
            default: break;
            }
            if (one.opcode() == op_type_int) {
                declared_[{op_type_int, one.word(2), one.word(3)}] = one.word(1);
            } else if (one.opcode() == op_type_bool) {
                declared_[{op_type_bool, 0, 0}] = one.word(1);
            } else if (one.opcode() == op_type_vector) {
                declared_[{op_type_vector, one.word(2), one.word(3)}] = one.word(1);
            } else if (is_arithmetic(one)) {
                arithmetic_.push_back(one);
            }
        });
    }

    /// Emits an instruction and returns its result.
    std::uint32_t emit_result(Words& out, std::uint32_t op, std::uint32_t type,
                              std::initializer_list<std::uint32_t> operands) {
        const std::uint32_t id = next_id_++;
        out.push_back(static_cast<std::uint32_t>(operands.size() + 3) << 16U | op);
        out.insert(out.end(), {type, id});
        out.insert(out.end(), operands);
        return id;
    }

    std::uint32_t type(std::uint32_t op, std::uint32_t a = 0, std::uint32_t b = 0) {
        auto& id = declared_[{op, a, b}];
        if (id == 0) {
            id = next_id_++;
            if (op == op_type_bool) {
                emit(globals_, op, {id});
            } else {
                emit(globals_, op, {id, a, b});
            }
        }
        return id;
    }

    std::uint32_t constant(std::uint32_t value) {
        auto& id = constants_[value];
        if (id == 0) {
            id = emit_result(globals_, op_constant, uint_, {value});
        }
        return id;
    }

    std::uint32_t built_in(std::uint32_t which) {
        const auto found = built_ins_.find(which);
        if (found != built_ins_.end() && std::ranges::find(variables_, found->second) != variables_.end()) {
            return found->second;
        }
        auto& pointer = pointers_[{class_input, uint_}];
        if (pointer == 0) {
            pointer = next_id_++;
            emit(globals_, op_type_pointer, {pointer, class_input, uint_});
        }
        const std::uint32_t id = emit_result(globals_, op_variable, pointer, {class_input});
        emit(annotations_, op_decorate, {id, decoration_built_in, which});
        interface_.push_back(id);
        return id;
    }

    void prepare() {
        uint_ = type(op_type_int, 32, 0);
        bool_ = type(op_type_bool);
        size_ = built_in(built_in_subgroup_size);
        lane_ = built_in(built_in_lane);
        scope_ = constant(subgroup_scope);
    }

    std::optional<std::uint32_t> identity(std::uint32_t type, const Operator& by) {
        const Type& of = types_[type];
        if (of.op == op_type_vector) {
            const auto one = identity(of.component, by);
            if (!one) {
                return one;
            }
            const std::uint32_t id = next_id_++;
            globals_.push_back((3 + of.components) << 16U | op_constant_composite);
            globals_.insert(globals_.end(), {type, id});
            globals_.insert(globals_.end(), of.components, *one);
            return id;
        }
        if (of.op == op_type_bool) {
            return emit_result(globals_, by.identity != 0 ? op_constant_true : op_constant_null, type, {});
        }
        if (of.width != 32 && of.width != 64) {
            return {};
        }
        std::uint64_t bits = 0;
        if (of.op == op_type_float) {
            bits = of.width == 64 ? std::bit_cast<std::uint64_t>(by.float_identity)
                                  : std::bit_cast<std::uint32_t>(static_cast<float>(by.float_identity));
        } else {
            const bool is_end = by.identity == max_value || by.identity == min_value;
            bits = static_cast<std::uint64_t>(is_end && of.width == 32 ? by.identity >> 32U : by.identity);
        }
        const auto low = static_cast<std::uint32_t>(bits), high = static_cast<std::uint32_t>(bits >> 32U);
        return of.width == 64 ? emit_result(globals_, op_constant, type, {low, high})
                              : emit_result(globals_, op_constant, type, {low});
    }

    /// Returns `condition` for each component of a value of the type.
    std::uint32_t spread(Words& out, std::uint32_t type, std::uint32_t condition) {
        const Type& of = types_[type];
        if (of.op != op_type_vector) {
            return condition;
        }
        const std::uint32_t id = next_id_++, bools = this->type(op_type_vector, bool_, of.components);
        out.push_back((3 + of.components) << 16U | op_composite_construct);
        out.insert(out.end(), {bools, id});
        out.insert(out.end(), of.components, condition);
        return id;
    }

    std::uint32_t combined(Words& out, std::uint32_t type, const Operator& by, std::uint32_t left,
                           std::uint32_t right) {
        if (!by.is_less && !by.is_greater) {
            const std::uint32_t id = emit_result(out, by.combine, type, {left, right});
            if (by.combine == op_f_add || by.combine == op_f_mul) {
                emit(annotations_, op_decorate, {id, decoration_no_contraction});
            }
            return id;
        }
        const Type& of = types_[type];
        const std::uint32_t bools = of.op == op_type_vector ? this->type(op_type_vector, bool_, of.components) : bool_;
        std::uint32_t less = emit_result(out, by.combine, bools, {left, right});
        if (by.combine == op_f_less_than) { // a number is preferred to a NaN
            const std::uint32_t is_nan = emit_result(out, op_is_nan, bools, {by.is_less ? right : left});
            less = emit_result(out, op_logical_or, bools, {less, is_nan});
        }
        return by.is_less ? emit_result(out, op_select, type, {less, left, right})
                          : emit_result(out, op_select, type, {less, right, left});
    }

    std::uint32_t shuffled(Words& out, std::uint32_t type, std::uint32_t value, std::uint32_t from) {
        if (barriers_) {
            emit(out, op_control_barrier, {scope_, scope_, constant(0)});
        }
        return emit_result(out, op_shuffle, type, {scope_, value, from});
    }

    Result<Words> replace(const Instruction& instruction) {
        const std::uint32_t type = instruction.word(1), result = instruction.word(2), group = instruction.word(4);
        const Operator& by = operators[instruction.opcode() - op_first_arithmetic];
        if (group > group_exclusive) {
            return tl::unexpected(Error{ErrorCode::unsupported, "a clustered subgroup operation, which the device does "
                                                                "not support and Weir does not emulate"});
        }
        Words out;
        const std::uint32_t lane = emit_result(out, op_load, uint_, {lane_});
        std::uint32_t value = instruction.word(5), first_from = 0, is_first = 0;
        for (std::uint32_t step = 1; step < largest_; step *= 2) { // steps beyond the subgroup change nothing
            const std::uint32_t stays = emit_result(out, op_u_less_than, bool_, {lane, constant(step)});
            const std::uint32_t back = emit_result(out, op_i_sub, uint_, {lane, constant(step)});
            const std::uint32_t from = emit_result(out, op_select, uint_, {stays, lane, back});
            const std::uint32_t before = shuffled(out, type, value, from);
            const std::uint32_t sum = combined(out, type, by, before, value);
            value = emit_result(out, op_select, type, {spread(out, type, stays), value, sum});
            if (step == 1) {
                first_from = from;
                is_first = stays;
            }
        }
        if (group == group_reduce) {
            const std::uint32_t size = emit_result(out, op_load, uint_, {size_});
            value = shuffled(out, type, value, emit_result(out, op_i_sub, uint_, {size, constant(1)}));
        } else if (group == group_exclusive) {
            const auto none = identity(type, by);
            if (!none) {
                return tl::unexpected(
                    Error{ErrorCode::unsupported,
                          "an exclusive subgroup scan of 8-bit or 16-bit numbers, which the device does "
                          "not support and Weir does not emulate"});
            }
            const std::uint32_t before = shuffled(out, type, value, first_from);
            value = emit_result(out, op_select, type, {spread(out, type, is_first), *none, before});
        }
        emit(out, op_copy_object, {type, result, value});
        return out;
    }

    Words assemble(const std::map<const std::uint32_t*, Words>& replaced) const {
        Words out(words_.begin(), words_.begin() + spirv::header_words);
        const auto append = [&](std::span<const std::uint32_t> more) {
            out.insert(out.end(), more.begin(), more.end());
        };
        bool in_functions = false, has_annotations = false;
        spirv::for_each_instruction(words_, [&](const Instruction& one) {
            const std::uint32_t op = one.opcode();
            if (op == op_capability && one.word(1) == capability_arithmetic) {
                for (const std::uint32_t needed :
                     {std::uint32_t{capability_basic}, std::uint32_t{capability_shuffle}}) {
                    if (std::ranges::find(capabilities_, needed) == capabilities_.end()) {
                        append(std::array{2U << 16U | op_capability, needed});
                    }
                }
                return;
            }
            const bool is_type =
                op >= op_type_bool - 1 && op <= op_type_pointer; // from OpTypeVoid on, which all modules have
            if (is_type && !has_annotations) {
                append(annotations_);
                has_annotations = true;
            }
            if (op == op_function && !in_functions) {
                append(globals_);
                in_functions = true;
            }
            if (op == op_entry_point && !interface_.empty()) {
                out.push_back(static_cast<std::uint32_t>(one.size() + interface_.size()) << 16U | op_entry_point);
                append(one.words.subspan(1));
                append(interface_);
                return;
            }
            const auto found = replaced.find(one.words.data());
            append(found != replaced.end() ? std::span<const std::uint32_t>(found->second) : one.words);
        });
        out[3] = next_id_;
        return out;
    }

    std::span<const std::uint32_t> words_;
    std::uint32_t largest_;
    bool barriers_;
    std::uint32_t next_id_;

    Words capabilities_, variables_;
    std::map<std::uint32_t, std::uint32_t> built_ins_; ///< variables, by built-in
    std::map<std::uint32_t, Type> types_;
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t> declared_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> pointers_; ///< by storage class and type
    std::map<std::uint32_t, std::uint32_t> constants_;
    std::vector<Instruction> arithmetic_;

    Words annotations_, globals_, interface_; ///< added instructions
    std::uint32_t uint_ = 0, bool_ = 0, size_ = 0, lane_ = 0, scope_ = 0;
};

} // namespace
} // namespace shuffles

bool has_subgroup_arithmetic(std::span<const std::uint32_t> words) {
    bool found = false;
    spirv::for_each_instruction(words,
                                [&](const spirv::Instruction& one) { found = found || shuffles::is_arithmetic(one); });
    return found;
}

Result<std::vector<std::uint32_t>> without_subgroup_arithmetic(std::span<const std::uint32_t> words,
                                                               std::uint32_t largest, bool barriers) {
    return shuffles::Rewriter(words, largest, barriers).run();
}

} // namespace weir
