#include "engine/reflection.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "engine/spirv_module.hpp"
#include "engine/text.hpp"

namespace weir {

namespace {

using spirv::DecorationKind;
using spirv::Instruction;
using spirv::Module;
using spirv::Op;
using spirv::StorageClass;

using ResourceSet = std::uint64_t; // a bit for each
constexpr std::size_t most_resources = 64;

StorageClass storage_class(const Module& module, std::uint32_t variable) {
    return StorageClass{module.definition(variable).word(3)};
}

/// The type that a variable's or a pointer's type points to.
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

/// What the variable binds, if it binds anything.
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

/// Finds what the functions of an entry point do with resources, by sparse conditional constant propagation: it goes
/// through their instructions again and again, and follows a branch that constants decide one way. What is loaded, and
/// what functions are called with or return, may be anything.
class Walk {
public:
    explicit Walk(const Module& module)
        : module_(module), ids_(module.id_count()), is_reached_(module.blocks().size()) {}

    /// Calls `found(variable)` for each variable outside functions that their instructions name, executed or not. The
    /// result is the resource that the variable is, if any.
    template <class Found>
    void find_variables(const Found& found) {
        std::vector<bool> is_called(module_.functions().size(), false), is_named(ids_.size(), false);
        call(module_.entry(), is_called);
        for (std::size_t next = 0; next < called_.size(); ++next) {
            for_each_instruction(called_[next], [&](const Instruction& instruction, std::uint32_t) {
                for (std::size_t i = 1; i < instruction.size(); ++i) {
                    if (names_variable(instruction, i) && instruction.word(i) < ids_.size()) {
                        is_named[instruction.word(i)] = true;
                    }
                }
                if (instruction.op() == Op::function_call) {
                    call(module_.function_of(instruction.word(3)), is_called);
                }
            });
        }
        for (const std::uint32_t variable : module_.variables()) {
            if (variable < ids_.size() && is_named[variable]) {
                ids_[variable].resources = found(variable);
            }
        }
    }

    /// Marks the uses of `resources`.
    void find_uses(std::vector<Reflection::Resource>& resources) {
        resources_ = &resources;
        reach_function(module_.entry());
        do { // until no value, pointer or reachable block is new
            has_changed_ = false;
            for (const std::uint32_t function : called_) {
                for_each_instruction(function, [&](const Instruction& instruction, std::uint32_t block) {
                    if (is_reached_[block]) {
                        visit(instruction, module_.blocks()[block].label);
                    }
                });
            }
        } while (has_changed_);
    }

private:
    struct Known {
        enum class Kind : std::uint8_t { nothing, constant, anything };
        Kind kind = Kind::nothing; ///< what its value may be, as far as the walk has come; it never goes back
        std::uint64_t value = 0;   ///< of a constant
        ResourceSet resources = 0; ///< of a pointer or a handle: what it may be of
    };

    void call(std::uint32_t function, std::vector<bool>& is_called) {
        if (function != Module::none && !is_called[function]) {
            is_called[function] = true;
            called_.push_back(function);
        }
    }

    template <class Visit>
    void for_each_instruction(std::uint32_t function, const Visit& visit) const {
        const Module::Function& of = module_.functions()[function];
        for (std::uint32_t b = of.first_block; b < of.end_block; ++b) {
            const Module::Block& block = module_.blocks()[b];
            for (std::uint32_t at = block.begin; at < block.end;) {
                const Instruction instruction = module_.instruction(at);
                if (instruction.size() == 0) {
                    break;
                }
                visit(instruction, b);
                at += static_cast<std::uint32_t>(instruction.size());
            }
        }
    }

    /// Whether a word of an instruction can name a variable outside functions.
    static bool names_variable(const Instruction& instruction, std::size_t word) {
        switch (instruction.op()) {
        case Op::store:
        case Op::copy_memory:
        case Op::copy_memory_sized: return word < 3;
        case Op::atomic_store:
        case Op::atomic_flag_clear:
        case Op::cooperative_matrix_store_khr:
        case Op::cooperative_matrix_store_nv: return word == 1;
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
        case Op::cooperative_matrix_load_nv: return word == 3;
        case Op::function_call:
        case Op::phi:
        case Op::select: return word >= 3;
        default: return is_atomic_on_third(instruction.op()) && word == 3;
        }
    }

    static bool is_followed(Op operation) { return operation == Op::phi || Module::folds(operation); }
    /// What the value of `id` may be.
    [[nodiscard]] Known value(std::uint32_t id) const {
        const Module::Id& known = module_.id(id);
        if (known.constant) {
            return {Known::Kind::constant, *known.constant};
        }
        const bool is_followed = known.function != Module::none && Walk::is_followed(module_.definition(id).op());
        return is_followed ? ids_[id] : Known{Known::Kind::anything};
    }
    void lower(std::uint32_t id, const Known& by) {
        if (id >= ids_.size() || by.kind == Known::Kind::nothing || ids_[id].kind == Known::Kind::anything) {
            return;
        }
        Known& known = ids_[id];
        if (known.kind == Known::Kind::nothing) {
            known.kind = by.kind;
            known.value = by.value;
            has_changed_ = true;
        } else if (by.kind == Known::Kind::anything || by.value != known.value) {
            known.kind = Known::Kind::anything;
            has_changed_ = true;
        }
    }
    /// A value that comes from blocks which may branch to the one with `label`.
    void meet(const Instruction& phi, std::uint32_t label) {
        for (std::size_t i = 3; i + 1 < phi.size(); i += 2) {
            const Module::Id& from = module_.id(phi.word(i + 1));
            bool comes = false;
            if (module_.instruction(from.at).op() == Op::label && is_reached_[from.slot]) {
                for_each_target(module_.instruction(module_.blocks()[from.slot].last),
                                [&](std::uint32_t target) { comes = comes || target == label; });
            }
            if (comes) {
                lower(phi.word(2), value(phi.word(i)));
            }
        }
    }
    void evaluate(const Instruction& instruction) {
        bool is_early = false;
        const auto result =
            module_.evaluate(instruction.op(), instruction.word(1), instruction, 3,
                             [&](std::uint32_t id) -> std::optional<std::uint64_t> {
                                 const Known known = value(id);
                                 is_early = is_early || known.kind == Known::Kind::nothing;
                                 return known.kind == Known::Kind::constant ? std::optional(known.value) : std::nullopt;
                             });
        if (result) {
            lower(instruction.word(2), {Known::Kind::constant, *result});
        } else if (!is_early) {
            lower(instruction.word(2), {Known::Kind::anything});
        }
    }
    [[nodiscard]] ResourceSet resources(std::uint32_t id) const { return id < ids_.size() ? ids_[id].resources : 0; }
    void add(std::uint32_t id, ResourceSet more) {
        if (id < ids_.size() && (more & ~ids_[id].resources) != 0) {
            ids_[id].resources |= more;
            has_changed_ = true;
        }
    }
    void use(ResourceSet which, bool reads, bool writes) {
        for (; which != 0; which &= which - 1) {
            Reflection::Resource& resource = (*resources_)[static_cast<std::size_t>(std::countr_zero(which))];
            resource.used = true;
            resource.read = resource.read || reads;
            resource.written = resource.written || writes;
        }
    }
    /// Of buffers the contents are loaded, of other resources their handles.
    void load(const Instruction& instruction) {
        const ResourceSet from = resources(instruction.word(3));
        for (ResourceSet left = from; left != 0; left &= left - 1) {
            const ResourceSet one = left & (0 - left);
            const auto kind = (*resources_)[static_cast<std::size_t>(std::countr_zero(left))].kind;
            const bool is_buffer = kind == Reflection::Kind::storage_buffer || kind == Reflection::Kind::uniform_buffer;
            use(one, is_buffer, false);
            add(instruction.word(2), is_buffer ? 0 : one);
        }
    }

    void reach_block(std::uint32_t label) {
        const Module::Id& id = module_.id(label);
        if (module_.instruction(id.at).op() == Op::label && !is_reached_[id.slot]) {
            is_reached_[id.slot] = true;
            has_changed_ = true;
        }
    }
    void reach_function(std::uint32_t function) {
        if (function != Module::none && module_.functions()[function].first_block < is_reached_.size()) {
            reach_block(module_.blocks()[module_.functions()[function].first_block].label);
        }
    }
    /// Calls `visit(label)` for each block to which a branch may go.
    template <class Visit>
    void for_each_target(const Instruction& last, const Visit& visit) const {
        if (last.op() == Op::branch) {
            visit(last.word(1));
            return;
        }
        const Known condition = value(last.word(1));
        if ((last.op() != Op::branch_conditional && last.op() != Op::switch_on) ||
            condition.kind == Known::Kind::nothing) {
            return;
        }
        const bool is_known = condition.kind == Known::Kind::constant;
        if (last.op() == Op::branch_conditional) {
            for (const std::size_t side : {2, 3}) {
                if (!is_known || (condition.value != 0) == (side == 2)) {
                    visit(last.word(side));
                }
            }
            return;
        }
        const std::size_t literal = module_.width(module_.type_of(last.word(1))) > 32 ? 2 : 1;
        bool is_found = false;
        for (std::size_t i = 3; i + literal < last.size(); i += literal + 1) {
            const std::uint64_t high = literal == 2 ? last.word(i + 1) : 0;
            const bool is_case = is_known && condition.value == (high << 32U | last.word(i));
            is_found = is_found || is_case;
            if (!is_known || is_case) {
                visit(last.word(i + literal));
            }
        }
        if (!is_found) {
            visit(last.word(2));
        }
    }
    void call(const Instruction& instruction) {
        const std::uint32_t function = module_.function_of(instruction.word(3));
        if (function == Module::none) {
            return;
        }
        reach_function(function);
        const auto& parameters = module_.functions()[function].parameters;
        for (std::size_t i = 0; i < parameters.size(); ++i) {
            add(parameters[i], resources(instruction.word(4 + i)));
        }
    }

    void visit(const Instruction& instruction, std::uint32_t label) {
        const auto of = [&](std::size_t word) { return resources(instruction.word(word)); };
        const std::uint32_t result = instruction.word(2);
        const Op operation = instruction.op();
        if (is_atomic_on_third(operation)) {
            use(of(3), true, true);
        } else if (reads_image(operation)) {
            use(of(3), true, false);
        } else if (operation >= Op::image_query_first && operation <= Op::image_query_last) {
            use(of(3), false, false);
        }
        switch (operation) {
        case Op::branch:
        case Op::branch_conditional:
        case Op::switch_on: for_each_target(instruction, [&](std::uint32_t label) { reach_block(label); }); break;
        case Op::function_call: call(instruction); break;
        case Op::load: load(instruction); break;
        case Op::array_length: use(of(3), false, false); break;
        case Op::image_write:
        case Op::store:
        case Op::atomic_store:
        case Op::atomic_flag_clear:
        case Op::cooperative_matrix_store_khr:
        case Op::cooperative_matrix_store_nv: use(of(1), false, true); break;
        case Op::copy_memory:
        case Op::copy_memory_sized:
            use(of(1), false, true);
            use(of(2), true, false);
            break;
        case Op::atomic_load:
        case Op::cooperative_matrix_load_khr:
        case Op::cooperative_matrix_load_nv: use(of(3), true, false); break;
        case Op::access_chain:
        case Op::in_bounds_access_chain:
        case Op::ptr_access_chain:
        case Op::in_bounds_ptr_access_chain:
        case Op::image_texel_pointer:
        case Op::image: add(result, of(3)); break;
        case Op::copy_object:
        case Op::sampled_image: add(result, of(3) | (operation == Op::sampled_image ? of(4) : 0)); break;
        case Op::select: add(result, of(4) | of(5)); break;
        case Op::phi:
            for (std::size_t i = 3; i < instruction.size(); i += 2) {
                add(result, of(i));
            }
            meet(instruction, label);
            break;
        default: break;
        }
        if (Module::folds(operation)) {
            evaluate(instruction);
        }
    }

    const Module& module_;
    std::vector<Known> ids_;
    std::vector<bool> is_reached_;      ///< per block
    std::vector<std::uint32_t> called_; ///< functions, the entry point's first
    std::vector<Reflection::Resource>* resources_ = nullptr;
    bool has_changed_ = false;
};

} // namespace

Reflection reflect(std::span<const std::uint32_t> spirv, std::span<const std::uint32_t> constants) {
    const Module module(spirv, constants);
    Reflection reflection;
    reflection.workgroup_size = module.workgroup_size();
    auto& resources = reflection.resources;
    Walk walk(module);
    walk.find_variables([&](std::uint32_t variable) -> ResourceSet {
        if (storage_class(module, variable) == StorageClass::push_constant) {
            reflection.push_bytes = std::max(reflection.push_bytes, module.bytes(pointee(module, variable)));
            return 0;
        }
        auto bound = resource(module, variable);
        if (!bound) {
            return 0;
        }
        const auto at = std::find_if(resources.begin(), resources.end(), [&](const Reflection::Resource& known) {
            return known.set == bound->set && known.binding == bound->binding && known.kind == bound->kind;
        });
        const auto index = static_cast<std::size_t>(at - resources.begin());
        if (at == resources.end()) {
            resources.push_back(std::move(*bound));
        }
        return index < most_resources ? ResourceSet{1} << index : 0;
    });
    walk.find_uses(resources);
    reflection.followed = module.entry() != Module::none && resources.size() <= most_resources;
    return reflection;
}

const char* to_string(Reflection::Kind kind) {
    constexpr std::array names{"storage buffer",         "uniform buffer", "storage image", "sampled image",
                               "combined image sampler", "sampler",        "resource"};
    return name_in(names, kind);
}

} // namespace weir
