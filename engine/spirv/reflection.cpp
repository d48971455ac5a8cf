#include "engine/spirv/reflection.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "engine/base/strings.hpp"
#include "engine/spirv/interpreter.hpp"
#include "engine/spirv/spirv_module.hpp"

namespace weir {

namespace {

using spirv::BuiltInVector;
using spirv::DecorationKind;
using spirv::Instruction;
using spirv::Interpreter;
using spirv::Module;
using spirv::Op;
using spirv::StorageClass;
using spirv::Value;

constexpr std::size_t max_resources = 64; // bits of a Value

std::optional<BuiltInVector> built_in_vector(const Module& module, std::uint32_t variable) {
    constexpr std::uint32_t num_workgroups = 24, workgroup_id = 26, global_invocation_id = 28;
    switch (module.decoration(variable, DecorationKind::built_in).value_or(0)) {
    case workgroup_id:
    case global_invocation_id: return spirv::place_vector;
    case num_workgroups: return spirv::group_counts_vector;
    default: return std::nullopt;
    }
}

StorageClass storage_class(const Module& module, std::uint32_t variable) {
    return StorageClass{module.definition(variable).word(3)};
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

/// Checks for a sum, product or count of the lanes before an invocation that includes its own value. In HLSL all of
/// them exclude it, but glslang compiles WavePrefixSum and WavePrefixProduct to inclusive operations.
bool is_inclusive_scan(const Instruction& instruction) {
    constexpr std::uint32_t inclusive = 1;
    const Op operation = instruction.op();
    return ((operation >= Op::group_i_add && operation <= Op::group_f_mul) ||
            operation == Op::group_ballot_bit_count) &&
           instruction.word(4) == inclusive;
}

struct Mentioned {
    std::vector<bool> variables; ///< by index: named, executed or not
    bool inclusive_scan = false;
};

/// Returns the variables outside functions that `main` and the functions it calls mention.
Mentioned find_mentioned(const Module& module) {
    Mentioned found{std::vector<bool>(module.variables().size())};
    auto& mentioned = found.variables;
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
                found.inclusive_scan = found.inclusive_scan || is_inclusive_scan(instruction);
                if (instruction.op() == Op::function_call) {
                    call(module.function_of(instruction.word(3)));
                }
                at += static_cast<std::uint32_t>(instruction.size());
            }
        }
    }
    return found;
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

/// Sets the name of a resource. `variable` and `type` are its names in the module. In HLSL a buffer with a counter has
/// a second variable: `NAME@count` of glslang, `counter.var.NAME` of DXC. DXC's names of blocks begin with `type.`.
void set_name(Reflection::Resource& resource, std::string_view variable, std::string_view type) {
    constexpr std::string_view of_glslang = "@count", of_dxc = "counter.var.", of_type = "type.";
    std::string_view name = variable.empty() ? type : variable;
    resource.is_counter = name.ends_with(of_glslang) || name.starts_with(of_dxc);
    if (name.ends_with(of_glslang)) {
        name.remove_suffix(of_glslang.size());
    }
    for (const std::string_view prefix : {of_dxc, of_type}) {
        name.remove_prefix(name.starts_with(prefix) ? prefix.size() : 0);
    }
    resource.name = name;
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
    set_name(made, module.name(variable), module.name(id));
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

/// Returns the mistake in two resources of HLSL at one binding; empty if they may share it, as a combined image and
/// sampler do. A GLSL shader may declare a buffer twice, but in HLSL this is an accident: registers b0, t0, s0 and u0
/// are all binding 0, and glslang uses binding 0 for resources without register and for counters.
std::string shared_binding(const Reflection::Resource& one, const Reflection::Resource& other) {
    using Kind = Reflection::Kind;
    const auto is = [&](Kind a, Kind b) { return one.kind == a && other.kind == b; };
    if (one.set != 0 || one.set != other.set || one.binding != other.binding ||
        is(Kind::sampled_image, Kind::sampler) || is(Kind::sampler, Kind::sampled_image)) {
        return {};
    }
    const auto is_globals = [](const auto& resource) { return resource.name.starts_with(globals_block); };
    return concat("the shader has two resources at binding ", one.binding, one.name.empty() ? "" : ": ", quoted(one),
                  one.name.empty() ? "" : " and ", quoted(other),
                  one.is_counter || other.is_counter
                      ? "; use a buffer of its own and InterlockedAdd as the counter, or compile with DXC "
                        "and [[vk::counter_binding]]"
                  : is_globals(one) || is_globals(other)
                      ? "; global variables that are not static are a uniform buffer: put them into a cbuffer"
                      : "; use registers with different numbers, or [[vk::binding]]");
}

} // namespace

Reflection reflect(std::span<const std::uint32_t> spirv, std::span<const std::uint32_t> constants,
                   std::span<const std::optional<std::uint32_t>> push) {
    const Module module(spirv, constants);
    const auto [mentioned, inclusive_scan] = find_mentioned(module);
    Reflection reflection;
    if (inclusive_scan && module.is_hlsl() && module.is_by_glslang()) {
        reflection.mistake = "the shader calls WavePrefixSum or WavePrefixProduct, which glslang compiles to inclusive "
                             "scans; use WEIR_SUBGROUP_SCAN of <weir/weir_subgroup_scan.hlsl>, or compile with DXC";
    }
    reflection.workgroup_size = module.workgroup_size();
    auto& resources = reflection.resources;
    std::map<std::uint32_t, std::uint32_t> buffers; // by their counters
    for (const std::uint32_t variable : module.variables()) {
        if (const auto counter = module.decoration(variable, DecorationKind::counter_buffer)) {
            buffers.emplace(*counter, variable);
        }
    }
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
            if (const auto buffer = buffers.find(variable); buffer != buffers.end()) {
                bound->name = module.name(buffer->second);
                bound->is_counter = true;
            }
            for (const Reflection::Resource& known : resources) {
                if (module.is_hlsl() && reflection.mistake.empty()) {
                    reflection.mistake = shared_binding(known, *bound);
                }
            }
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
    reflection.place = interpreter.components(spirv::place_vector);
    reflection.group_counts = interpreter.components(spirv::group_counts_vector);
    reflection.loops = interpreter.loops();
    return reflection;
}

std::string quoted(const Reflection::Resource& resource) {
    return resource.name.empty() ? std::string()
                                 : concat(resource.is_counter ? "the counter of '" : "'", resource.name, "'");
}

const char* to_string(Reflection::Kind kind) {
    constexpr std::array names{"storage buffer",         "uniform buffer", "storage image", "sampled image",
                               "combined image sampler", "sampler",        "resource"};
    return name_in(names, kind);
}

} // namespace weir
