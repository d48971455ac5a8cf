#include "engine/spirv/subgroup_size.hpp"

#include <algorithm>
#include <map>

#include "engine/spirv/spirv_module.hpp"

namespace weir {

namespace actual_size { // other files of a unity build have equal names
namespace {

using Words = std::vector<std::uint32_t>;
using spirv::Instruction, spirv::emit;

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

class Rewriter {
public:
    Rewriter(std::span<const std::uint32_t> words, std::uint32_t invocations)
        : words_(words), invocations_(invocations), next_id_(words[3]) {}

    Words run() {
        spirv::for_each_instruction(words_, [&](const Instruction& one) { read(one); });
        if (sizes_.empty() && masks_.empty()) {
            return {words_.begin(), words_.end()};
        }
        declare();
        Words out(words_.begin(), words_.begin() + spirv::header_words);
        bool has_annotations = false, has_globals = false;
        spirv::for_each_instruction(words_, [&](const Instruction& one) {
            if (one.opcode() >= op_type_void && one.opcode() <= op_type_pointer && !has_annotations) {
                out.insert(out.end(), annotations_.begin(), annotations_.end());
                has_annotations = true;
            }
            if (one.opcode() == op_function && !has_globals) {
                out.insert(out.end(), globals_.begin(), globals_.end());
                has_globals = true;
            }
            rewrite(one, out);
        });
        out[3] = next_id_;
        return out;
    }

private:
    static bool contains(const Words& ids, std::uint32_t id) { return std::ranges::find(ids, id) != ids.end(); }

    void read(const Instruction& one) {
        switch (one.opcode()) {
        case op_decorate:
            if (one.word(2) == decoration_built_in && one.word(3) == built_in_size) {
                sizes_.push_back(one.word(1));
            } else if (one.word(2) == decoration_built_in && one.word(3) == built_in_subgroups) {
                subgroups_ = one.word(1);
            } else if (one.word(2) == decoration_built_in &&
                       (one.word(3) == built_in_ge_mask || one.word(3) == built_in_gt_mask)) {
                masks_.push_back(one.word(1));
            }
            break;
        case op_type_int: uint_ = one.word(2) == 32 && one.word(3) == 0 ? one.word(1) : uint_; break;
        case op_type_vector: uvec4_ = one.word(2) == uint_ && one.word(3) == 4 ? one.word(1) : uvec4_; break;
        case op_type_pointer:
            pointer_ = one.word(2) == class_input && one.word(3) == uint_ ? one.word(1) : pointer_;
            break;
        case op_access_chain:
        case op_in_bounds_access_chain:
            if (contains(masks_, one.word(3))) {
                components_.emplace(one.word(2), one.word(4));
            }
            break;
        default: break;
        }
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

    void rewrite(const Instruction& one, Words& out) {
        const bool is_load = one.opcode() == op_load;
        const auto component = is_load ? components_.find(one.word(3)) : components_.end();
        if (is_load && contains(sizes_, one.word(3))) {
            emit_size(out, one.word(2));
        } else if (is_load && (contains(masks_, one.word(3)) || component != components_.end())) {
            std::uint32_t lanes = emit_lanes(out);
            if (component != components_.end()) {
                emit(out, op_vector_extract_dynamic, {uint_, next_id_, lanes, component->second});
                lanes = next_id_++;
            }
            const std::uint32_t reported = next_id_++;
            emit(out, op_load, {one.word(1), reported, one.word(3)});
            emit(out, op_bitwise_and, {one.word(1), one.word(2), reported, lanes});
        } else if (one.opcode() == op_entry_point && added_ != 0) {
            out.push_back(static_cast<std::uint32_t>(one.size() + 1) << 16U | op_entry_point);
            out.insert(out.end(), one.words.begin() + 1, one.words.end());
            out.push_back(added_);
        } else {
            out.insert(out.end(), one.words.begin(), one.words.end());
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
