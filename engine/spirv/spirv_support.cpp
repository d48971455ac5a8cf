#include "engine/spirv/spirv_support.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "engine/base/propagate.hpp"
#include "engine/spirv/spirv_module.hpp"

namespace weir {

namespace {

using Words = std::vector<std::uint32_t>;
using spirv::Instruction;

// Numbers of the SPIR-V specification.
enum : std::uint32_t {
    op_extension = 10,
    op_memory_model = 14,
    op_execution_mode_id = 331,
    op_capability = 17,
    op_type_vector = 23,
    op_type_pointer = 32,
    op_constant = 43,
    op_first_spec_constant = 48,
    op_spec_constant_composite = 51,
    op_last_spec_constant = 52,
    op_function = 54,
    op_variable = 59,
    op_load = 61,
    op_store = 62,
    op_copy_memory = 63,
    op_copy_memory_sized = 64,
    op_first_chain = 65, // OpAccessChain; other chains follow, and instructions in between return no pointer
    op_last_chain = 70,
    op_decorate = 71,
    op_copy_object = 83,
    op_image_read = 98,
    op_image_write = 99,
    op_control_barrier = 224,
    op_memory_barrier = 225,
    op_first_atomic = 227, // OpAtomicLoad; the others follow
    op_atomic_store = 228,
    op_atomic_compare_exchange = 230,
    op_atomic_compare_exchange_weak = 231,
    op_last_atomic = 242,
    op_atomic_flag_test_and_set = 318,
    op_atomic_flag_clear = 319,
    op_image_sparse_read = 320,
    op_atomic_f_min = 5614,
    op_atomic_f_max = 5615,
    op_atomic_f_add = 6035,
};
enum : std::uint32_t { mode_local_size_id = 38, model_glsl450 = 1, model_vulkan = 3 };
enum : std::uint32_t { capability_memory_model = 5345, capability_device_scope = 5346 };
enum : std::uint32_t { decoration_built_in = 11, decoration_volatile = 21, decoration_coherent = 23 };
enum : std::uint32_t { built_in_workgroup_size = 25 };
enum : std::uint32_t { scope_device = 1, scope_queue_family = 5 };
enum : std::uint32_t { class_uniform = 2, class_storage_buffer = 12, class_address = 5349 };
constexpr std::uint32_t access_aligned = 2, access_available = 8, access_visible = 16, access_not_private = 32;
constexpr std::uint32_t texels_of_model = 0x100 | 0x200 | 0x400; // available, visible, not private
constexpr std::uint32_t semantics_volatile = 0x8000;
constexpr std::uint32_t semantics_of_model =
    0x1000 | 0x2000 | 0x4000 | semantics_volatile; // output, available, visible

/// Words of an instruction with its memory scope and semantics; 0: not present.
struct Ordering {
    std::size_t scope = 0;
    std::array<std::size_t, 2> semantics{};
};

Ordering ordering_of(std::uint32_t operation) {
    switch (operation) {
    case op_control_barrier: return {2, {3}};
    case op_memory_barrier: return {1, {2}};
    case op_atomic_store:
    case op_atomic_flag_clear: return {2, {3}};
    case op_atomic_compare_exchange:
    case op_atomic_compare_exchange_weak: return {4, {5, 6}};
    case op_atomic_flag_test_and_set:
    case op_atomic_f_min:
    case op_atomic_f_max:
    case op_atomic_f_add: return {4, {5}};
    default: break;
    }
    return operation >= op_first_atomic && operation <= op_last_atomic ? Ordering{4, {5}} : Ordering{};
}

/// Returns the word of a load or store with its memory access mask; 0 for other instructions.
std::size_t access_of(std::uint32_t operation) {
    return operation == op_load ? 4 : operation == op_store ? 3 : 0;
}

/// Checks that the instruction comes before all decorations and types.
bool is_preamble(std::uint32_t operation) {
    constexpr std::uint32_t others[] = {op_capability, op_execution_mode_id, 330}; // 330: OpModuleProcessed
    return operation <= 16 || std::ranges::find(others, operation) != std::end(others);
}

class Rewriter {
public:
    Rewriter(std::span<const std::uint32_t> words, const SpirvSupport& support)
        : words_(words), support_(support), next_id_(words[3]) {}

    Result<Words> run() {
        spirv::for_each_instruction(words_, [&](const Instruction& one) { read(one); });
        older_model_ = uses_model_ && !support_.memory_model;
        queue_family_ = uses_model_ && support_.memory_model && !support_.device_scope;
        WEIR_PROPAGATE(older_model_ ? check() : Result<>());
        Words body;
        spirv::for_each_instruction(words_, [&](const Instruction& one) { rewrite(one, body); });
        // If a module has only a preamble, both places are at its end.
        annotations_at_ = annotations_at_ != 0 ? annotations_at_ : body.size() + 1;
        declarations_at_ = declarations_at_ != 0 ? declarations_at_ : body.size() + 1;
        return assemble(body);
    }

private:
    struct Constant {
        std::uint32_t type = 0, value = 0;
    };

    void read(const Instruction& one) {
        const std::uint32_t operation = one.opcode();
        switch (operation) {
        case op_memory_model: uses_model_ = one.word(2) == model_vulkan; break;
        case op_execution_mode_id:
            if (one.word(2) == mode_local_size_id) {
                size_ = {one.word(3), one.word(4), one.word(5)};
            }
            break;
        case op_decorate: has_size_ = has_size_ || is_size(one); break;
        case op_type_vector: vectors_[{one.word(2), one.word(3)}] = one.word(1); break;
        case op_type_pointer: class_of_pointers_[one.word(1)] = one.word(2); break;
        case op_constant: constants_[one.word(2)] = {one.word(1), one.word(3)}; break;
        case op_variable: variables_[one.word(2)] = one.word(3); break;
        default: break;
        }
        if (operation == op_constant || (operation >= op_first_spec_constant && operation <= op_last_spec_constant)) {
            types_[one.word(2)] = one.word(1);
        }
        if ((operation >= op_first_chain && operation <= op_last_chain) || operation == op_copy_object) {
            bases_[one.word(2)] = one.word(3);
        }
        if (one.size() > 2 && operation > op_function) {
            pointers_.try_emplace(one.word(2), one.word(1));
        }
        find_shared(one, operation);
    }

    static bool is_size(const Instruction& one) {
        return one.word(2) == decoration_built_in && one.word(3) == built_in_workgroup_size;
    }

    /// Collects the pointers through which an instruction makes accesses that other invocations must see.
    void find_shared(const Instruction& one, std::uint32_t operation) {
        const std::size_t access = access_of(operation);
        if (access != 0 && (one.word(access) & access_not_private) != 0) {
            shared_.insert({one.word(operation == op_load ? 3 : 1), decoration_coherent});
        }
        const Ordering ordering = ordering_of(operation);
        if (ordering.scope > 1 && operation != op_control_barrier) {
            for (const std::size_t semantics : ordering.semantics) {
                if (semantics != 0 && (value_of(one.word(semantics)) & semantics_volatile) != 0) {
                    shared_.insert({one.word(ordering.scope - 1), decoration_volatile});
                }
            }
        }
        const bool copies = operation == op_copy_memory || operation == op_copy_memory_sized;
        for (std::size_t i = operation == op_copy_memory ? 3 : 4; copies && i < one.size(); ++i) {
            has_no_form_ = has_no_form_ || (one.word(i) & access_not_private) != 0;
        }
        const std::size_t texels = operation == op_image_write                                       ? 4
                                   : operation == op_image_read || operation == op_image_sparse_read ? 5
                                                                                                     : 0;
        has_no_form_ = has_no_form_ || (texels != 0 && (one.word(texels) & texels_of_model) != 0);
    }

    [[nodiscard]] std::uint32_t value_of(std::uint32_t id) const {
        const auto found = constants_.find(id);
        return found != constants_.end() ? found->second.value : 0;
    }

    /// Returns the pointer or variable that a pointer is a part of. In an invalid module, parts may form a circle.
    [[nodiscard]] std::uint32_t base_of(std::uint32_t pointer) const {
        for (std::size_t steps = 0; steps < bases_.size(); ++steps) {
            const auto from = bases_.find(pointer);
            if (from == bases_.end()) {
                break;
            }
            pointer = from->second;
        }
        return pointer;
    }

    /// Collects the buffers that must become coherent or volatile. Errors: `unsupported` if an access has no such form.
    Result<> check() {
        for (const auto& [pointer, decoration] : shared_) {
            const std::uint32_t base = base_of(pointer);
            if (const auto variable = variables_.find(base); variable != variables_.end()) {
                decorate(variable->first, variable->second, decoration);
                continue;
            }
            const auto type = pointers_.find(base);
            const auto of = class_of_pointers_.find(type != pointers_.end() ? type->second : 0);
            has_no_form_ = has_no_form_ || (of != class_of_pointers_.end() && of->second == class_address);
            for (const auto& [one, storage] : variables_) { // it may point into any of them
                decorate(one, storage, decoration);
            }
        }
        return !has_no_form_
                   ? Result<>()
                   : tl::unexpected(Error{ErrorCode::unsupported,
                                          "has coherent accesses to images or buffer addresses, which require the "
                                          "feature vulkanMemoryModel"});
    }

    void decorate(std::uint32_t variable, std::uint32_t storage, std::uint32_t decoration) {
        if (storage == class_storage_buffer || storage == class_uniform) {
            decorated_.insert({variable, decoration});
        }
    }

    static void emit(Words& out, std::uint32_t operation, std::initializer_list<std::uint32_t> operands) {
        out.push_back(static_cast<std::uint32_t>(operands.size() + 1) << 16U | operation);
        out.insert(out.end(), operands);
    }

    /// Replaces an operand of the last instruction, which may be too short in an invalid module.
    static void replace(Words& out, std::size_t at, std::uint32_t operand) {
        if (at < out.size()) {
            out[at] = operand;
        }
    }

    /// Returns a constant of the type of `like`.
    std::uint32_t constant(std::uint32_t like, std::uint32_t value) {
        const std::uint32_t type = constants_.at(like).type;
        const auto [at, is_new] = made_.try_emplace({type, value}, next_id_);
        if (is_new) {
            emit(declarations_, op_constant, {type, next_id_++, value});
        }
        return at->second;
    }

    std::uint32_t scope(std::uint32_t id) {
        if (queue_family_ && constants_.contains(id) && value_of(id) == scope_device) {
            return constant(id, scope_queue_family);
        }
        return older_model_ && value_of(id) == scope_queue_family ? constant(id, scope_device) : id;
    }

    std::uint32_t semantics(std::uint32_t id) {
        const std::uint32_t value = value_of(id);
        return older_model_ && (value & semantics_of_model) != 0 ? constant(id, value & ~semantics_of_model) : id;
    }

    [[nodiscard]] bool is_left_out(const Instruction& one) const {
        switch (one.opcode()) {
        case op_capability:
            return (older_model_ && one.word(1) == capability_memory_model) ||
                   ((older_model_ || queue_family_) && one.word(1) == capability_device_scope);
        case op_extension: return older_model_ && spirv::literal(one.words.subspan(1)) == "SPV_KHR_vulkan_memory_model";
        case op_execution_mode_id: return !support_.size_from_constants && one.word(2) == mode_local_size_id;
        default: return false;
        }
    }

    void rewrite(const Instruction& one, Words& out) {
        if (is_left_out(one)) {
            return;
        }
        const std::uint32_t operation = one.opcode();
        if (annotations_at_ == 0 && !is_preamble(operation)) {
            annotations_at_ = out.size() + 1;
        }
        if (declarations_at_ == 0 && operation == op_function) {
            declarations_at_ = out.size() + 1;
        }
        const std::size_t begin = out.size();
        out.insert(out.end(), one.words.begin(), one.words.end());
        if (operation == op_memory_model && older_model_) {
            replace(out, begin + 2, model_glsl450);
        }
        const Ordering ordering = ordering_of(operation);
        if (ordering.scope != 0) {
            replace(out, begin + ordering.scope, scope(one.word(ordering.scope)));
            for (const std::size_t at : ordering.semantics) {
                if (at != 0) {
                    replace(out, begin + at, semantics(one.word(at)));
                }
            }
        }
        if (const std::size_t access = access_of(operation); access != 0 && access < one.size()) {
            rewrite_access(one, access, begin, out);
        }
    }

    /// Rewrites the operands of an access: the mask, the alignment, and the scopes to which it is available or visible.
    void rewrite_access(const Instruction& one, std::size_t access, std::size_t begin, Words& out) {
        const std::uint32_t how = one.word(access);
        std::size_t at = access + 1 + ((how & access_aligned) != 0 ? 1 : 0);
        if (!older_model_) {
            for (const std::uint32_t bit : {access_available, access_visible}) {
                if ((how & bit) != 0) {
                    replace(out, begin + at, scope(one.word(at)));
                    ++at;
                }
            }
            return;
        }
        const std::uint32_t kept = how & ~(access_available | access_visible | access_not_private);
        out[begin + access] = kept;
        out.resize(begin + (kept != 0 ? at : access)); // scopes come last
        out[begin] = static_cast<std::uint32_t>(out.size() - begin) << 16U | one.opcode();
    }

    /// Declares the workgroup size that LocalSizeId would have given.
    void declare_size(Words& annotations) {
        const std::uint32_t type = types_.contains((*size_)[0]) ? types_.at((*size_)[0]) : 0;
        std::uint32_t vector = vectors_.contains({type, 3}) ? vectors_.at({type, 3}) : 0;
        if (vector == 0) {
            vector = next_id_++;
            emit(declarations_, op_type_vector, {vector, type, 3});
        }
        const std::uint32_t size = next_id_++;
        emit(declarations_, op_spec_constant_composite, {vector, size, (*size_)[0], (*size_)[1], (*size_)[2]});
        emit(annotations, op_decorate, {size, decoration_built_in, built_in_workgroup_size});
    }

    Words assemble(const Words& body) {
        Words annotations;
        for (const auto& [variable, decoration] : decorated_) {
            emit(annotations, op_decorate, {variable, decoration});
        }
        if (!support_.size_from_constants && size_ && !has_size_) {
            declare_size(annotations);
        }
        Words out(words_.begin(), words_.begin() + spirv::header_words);
        out[1] = std::min(out[1], support_.version);
        out[3] = next_id_;
        const auto part = [&](std::size_t first, std::size_t last) {
            out.insert(out.end(), body.begin() + static_cast<std::ptrdiff_t>(first),
                       body.begin() + static_cast<std::ptrdiff_t>(last));
        };
        part(0, annotations_at_ - 1);
        out.insert(out.end(), annotations.begin(), annotations.end());
        part(annotations_at_ - 1, declarations_at_ - 1);
        out.insert(out.end(), declarations_.begin(), declarations_.end());
        part(declarations_at_ - 1, body.size());
        return out;
    }

    std::span<const std::uint32_t> words_;
    const SpirvSupport& support_;
    std::uint32_t next_id_;
    bool uses_model_ = false, older_model_ = false, queue_family_ = false;
    bool has_size_ = false;    ///< the module has a built-in constant for its size
    bool has_no_form_ = false; ///< an access has no form without the memory model
    std::optional<std::array<std::uint32_t, 3>> size_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> vectors_; ///< by component and count
    std::map<std::uint32_t, Constant> constants_;
    std::map<std::uint32_t, std::uint32_t> types_;             ///< types of constants
    std::map<std::uint32_t, std::uint32_t> variables_;         ///< storage classes of variables
    std::map<std::uint32_t, std::uint32_t> bases_;             ///< by pointer: what it is a part of
    std::map<std::uint32_t, std::uint32_t> pointers_;          ///< types of values in functions
    std::map<std::uint32_t, std::uint32_t> class_of_pointers_; ///< storage classes, by pointer type
    std::set<std::pair<std::uint32_t, std::uint32_t>> shared_; ///< pointers, and the decoration that their buffers get
    std::set<std::pair<std::uint32_t, std::uint32_t>> decorated_;           ///< variables and their decorations
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> made_; ///< new constants, by type and value
    Words declarations_;
    std::size_t annotations_at_ = 0, declarations_at_ = 0; ///< places in the body, plus 1; 0: not found yet
};

} // namespace

Result<std::vector<std::uint32_t>> supported_spirv(std::span<const std::uint32_t> words, const SpirvSupport& support) {
    return Rewriter(words, support).run();
}

} // namespace weir
