#include "engine/spirv/subgroup_size.hpp"

#include <algorithm>
#include <initializer_list>
#include <map>

#include "engine/spirv/spirv_module.hpp"

namespace weir {

namespace actual_size { // other files of a unity build have equal names
namespace {

using Words = std::vector<std::uint32_t>;
using Instruction = std::span<const std::uint32_t>;

// Numbers of the SPIR-V specification.
enum : std::uint32_t {
    op_entry_point = 15,
    op_type_void = 19,
    op_type_int = 21,
    op_type_vector = 23,
    op_type_pointer = 32,
    op_constant = 43,
    op_function = 54,
    op_variable = 59,
    op_load = 61,
    op_access_chain = 65,
    op_in_bounds_access_chain = 66,
    op_decorate = 71,
    op_vector_extract_dynamic = 77,
    op_composite_construct = 80,
    op_u_div = 134,
    op_i_sub = 130,
    op_shift_right_logical = 194,
    op_bitwise_and = 199,
};
enum : std::uint32_t { decoration_built_in = 11, class_input = 1 };
enum : std::uint32_t { built_in_size = 36, built_in_subgroups = 38, built_in_ge_mask = 4417, built_in_gt_mask = 4418 };

std::uint32_t opcode(Instruction instruction) {
    return instruction[0] & 0xffffU;
}

class Rewriter {
public:
    Rewriter(std::span<const std::uint32_t> words, std::uint32_t invocations)
        : words_(words), invocations_(invocations), next_id_(words[3]) {}

    Words run() {
        for_each([&](Instruction one) { read(one); });
        if (sizes_.empty() && masks_.empty()) {
            return {words_.begin(), words_.end()};
        }
        declare();
        Words out(words_.begin(), words_.begin() + spirv::header_words);
        bool has_annotations = false, has_globals = false;
        for_each([&](Instruction one) {
            if (opcode(one) >= op_type_void && opcode(one) <= op_type_pointer && !has_annotations) {
                out.insert(out.end(), annotations_.begin(), annotations_.end());
                has_annotations = true;
            }
            if (opcode(one) == op_function && !has_globals) {
                out.insert(out.end(), globals_.begin(), globals_.end());
                has_globals = true;
            }
            rewrite(one, out);
        });
        out[3] = next_id_;
        return out;
    }

private:
    template <class Visit>
    void for_each(const Visit& visit) const {
        for (std::size_t at = spirv::header_words; at < words_.size(); at += words_[at] >> 16U) {
            visit(words_.subspan(at, words_[at] >> 16U));
        }
    }

    static bool contains(const Words& ids, std::uint32_t id) { return std::ranges::find(ids, id) != ids.end(); }

    void read(Instruction one) {
        const auto word = [&](std::size_t i) { return i < one.size() ? one[i] : 0; };
        switch (opcode(one)) {
        case op_decorate:
            if (word(2) == decoration_built_in && word(3) == built_in_size) {
                sizes_.push_back(word(1));
            } else if (word(2) == decoration_built_in && word(3) == built_in_subgroups) {
                subgroups_ = word(1);
            } else if (word(2) == decoration_built_in && (word(3) == built_in_ge_mask || word(3) == built_in_gt_mask)) {
                masks_.push_back(word(1));
            }
            break;
        case op_type_int: uint_ = word(2) == 32 && word(3) == 0 ? word(1) : uint_; break;
        case op_type_vector: uvec4_ = word(2) == uint_ && word(3) == 4 ? word(1) : uvec4_; break;
        case op_type_pointer: pointer_ = word(2) == class_input && word(3) == uint_ ? word(1) : pointer_; break;
        case op_access_chain:
        case op_in_bounds_access_chain:
            if (contains(masks_, word(3))) {
                components_.emplace(word(2), word(4));
            }
            break;
        default: break;
        }
    }

    static void emit(Words& out, std::uint32_t op, std::initializer_list<std::uint32_t> operands) {
        out.push_back(static_cast<std::uint32_t>(operands.size() + 1) << 16U | op);
        out.insert(out.end(), operands);
    }
    std::uint32_t constant(std::uint32_t value) {
        emit(globals_, op_constant, {uint_, next_id_, value});
        return next_id_++;
    }

    /// Declares the constants and, if the module has none, the variable with the number of subgroups. The types exist,
    /// because the module has a variable of them.
    void declare() {
        if (subgroups_ == 0) {
            if (pointer_ == 0) {
                pointer_ = next_id_++;
                emit(globals_, op_type_pointer, {pointer_, class_input, uint_});
            }
            subgroups_ = added_ = next_id_++;
            emit(globals_, op_variable, {pointer_, subgroups_, class_input});
            emit(annotations_, op_decorate, {subgroups_, decoration_built_in, built_in_subgroups});
        }
        all_ = constant(invocations_);
        bits_ = constant(32);
        zero_ = constant(0);
        ones_ = constant(~0U);
    }

    /// Emits the division whose result is `id`.
    void emit_size(Words& out, std::uint32_t id) {
        emit(out, op_load, {uint_, next_id_, subgroups_});
        emit(out, op_u_div, {uint_, id, all_, next_id_++});
    }

    /// Emits the mask of all lanes and returns it.
    std::uint32_t emit_lanes(Words& out) {
        const std::uint32_t size = next_id_++, unused = next_id_++, low = next_id_++, lanes = next_id_++;
        emit_size(out, size);
        emit(out, op_i_sub, {uint_, unused, bits_, size});
        emit(out, op_shift_right_logical, {uint_, low, ones_, unused});
        emit(out, op_composite_construct, {uvec4_, lanes, low, zero_, zero_, zero_});
        return lanes;
    }

    void rewrite(Instruction one, Words& out) {
        const bool is_load = opcode(one) == op_load;
        const auto component = is_load ? components_.find(one[3]) : components_.end();
        if (is_load && contains(sizes_, one[3])) {
            emit_size(out, one[2]);
        } else if (is_load && (contains(masks_, one[3]) || component != components_.end())) {
            std::uint32_t lanes = emit_lanes(out);
            if (component != components_.end()) {
                emit(out, op_vector_extract_dynamic, {uint_, next_id_, lanes, component->second});
                lanes = next_id_++;
            }
            const std::uint32_t reported = next_id_++;
            emit(out, op_load, {one[1], reported, one[3]});
            emit(out, op_bitwise_and, {one[1], one[2], reported, lanes});
        } else if (opcode(one) == op_entry_point && added_ != 0) {
            out.push_back(static_cast<std::uint32_t>(one.size() + 1) << 16U | op_entry_point);
            out.insert(out.end(), one.begin() + 1, one.end());
            out.push_back(added_);
        } else {
            out.insert(out.end(), one.begin(), one.end());
        }
    }

    std::span<const std::uint32_t> words_;
    std::uint32_t invocations_;
    std::uint32_t next_id_;

    Words sizes_, masks_;                               ///< variables
    std::map<std::uint32_t, std::uint32_t> components_; ///< indices, by pointers to components of masks
    std::uint32_t subgroups_ = 0, added_ = 0;           ///< the variable with the number of subgroups
    std::uint32_t uint_ = 0, uvec4_ = 0, pointer_ = 0;  ///< types
    std::uint32_t all_ = 0, bits_ = 0, zero_ = 0, ones_ = 0;

    Words annotations_, globals_; ///< added instructions
};

} // namespace
} // namespace actual_size

std::vector<std::uint32_t> with_actual_subgroup_size(std::span<const std::uint32_t> words, std::uint32_t invocations) {
    return actual_size::Rewriter(words, invocations).run();
}

} // namespace weir
