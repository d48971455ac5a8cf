#include "engine/spirv/spirv.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <utility>

#include "engine/base/propagate.hpp"
#include "engine/base/strings.hpp"
#include "engine/spirv/spirv_module.hpp"

namespace weir {

namespace {

constexpr std::uint32_t magic = 0x07230203;
constexpr std::uint32_t newest_version = 0x00010600;
constexpr std::uint32_t compute_model = 5;

spirv::Op operation_at(std::span<const std::uint32_t> words, std::size_t at) {
    return static_cast<spirv::Op>(words[at] & 0xffffU);
}

constexpr std::uint32_t first_word(std::size_t length, spirv::Op operation) {
    return static_cast<std::uint32_t>(length) << 16U | static_cast<std::uint32_t>(operation);
}

void append(std::vector<std::uint32_t>& out, std::span<const std::uint32_t> words) {
    out.insert(out.end(), words.begin(), words.end());
}

tl::unexpected<Error> not_a_shader(const std::string& name, const std::string& why) {
    return tl::unexpected(Error{ErrorCode::invalid_argument, concat("'", name, "' is not a SPIR-V shader: ", why)});
}

/// Returns the variables that an entry point lists. Precondition: it has more than 3 words.
std::span<const std::uint32_t> interface_of(const spirv::Instruction& entry_point) {
    return entry_point.words.subspan(3 + spirv::literal(entry_point.words.subspan(3)).size() / 4 + 1);
}

/// Returns the nonempty names of the compute entry points. Errors: those of `check_spirv`, except for a missing `main`.
Result<std::vector<std::string>> entry_points(std::span<const std::uint32_t> words, const std::string& name) {
    const auto fail = [&](const std::string& why) { return not_a_shader(name, why); };
    if (words.size() < spirv::header_words) {
        return fail(concat("it has ", words.size(), " words; a header has ", spirv::header_words));
    }
    if (words[0] != magic) {
        return fail(concat("it starts with 0x", hex(words[0], 8), ", not with 0x", hex(magic, 8)));
    }
    if (words[1] > newest_version || (words[1] & 0xff0000ffU) != 0) {
        return fail(concat("its version is ", (words[1] >> 16U) & 0xffU, ".", (words[1] >> 8U) & 0xffU,
                           "; 1.6 is the newest supported"));
    }
    std::vector<std::string> found;
    auto operation = spirv::Op{};
    for (std::size_t at = spirv::header_words; at < words.size();) {
        const std::size_t length = words[at] >> 16U;
        if (length == 0 || length > words.size() - at) {
            return fail(concat("the instruction at word ", at, " of ", words.size(), " extends beyond the last word"));
        }
        operation = operation_at(words, at);
        if (operation == spirv::Op::entry_point && length > 3 && words[at + 1] == compute_model) {
            if (const auto entry = spirv::literal(words.subspan(at + 3, length - 3)); !entry.empty()) {
                found.emplace_back(entry);
            }
        }
        at += length;
    }
    if (operation != spirv::Op::function_end) {
        return fail("it does not end with a function");
    }
    return found;
}

bool is_hlsl_extension(std::string_view name) {
    return name == "SPV_GOOGLE_hlsl_functionality1" || name == "SPV_GOOGLE_user_type";
}

} // namespace

Result<> check_spirv(std::span<const std::uint32_t> words, const std::string& name) {
    const auto found = entry_points(words, name);
    WEIR_PROPAGATE(found);
    return std::ranges::find(*found, "main") != found->end()
               ? Result<>()
               : not_a_shader(name, "it has no compute entry point 'main'");
}

Result<std::vector<std::uint32_t>> with_main(std::span<const std::uint32_t> words, const std::string& entry_point,
                                             const std::string& name) {
    const auto found = entry_points(words, name);
    WEIR_PROPAGATE(found);
    const bool has_main = std::ranges::find(*found, "main") != found->end();
    if (has_main && (entry_point.empty() || entry_point == "main")) {
        return std::vector(words.begin(), words.end());
    }
    const std::string chosen = entry_point.empty() && found->size() == 1 ? found->front() : entry_point;
    if (std::ranges::find(*found, chosen) == found->end()) {
        std::string names;
        for (const std::string& one : *found) {
            names += (names.empty() ? " '" : ", '") + one + "'";
        }
        return not_a_shader(
            name, found->empty() ? "it has no compute entry point"
                  : chosen.empty()
                      ? concat("it has compute entry points", names, "; choose one with ShaderSource::entry_point")
                      : concat("it has no compute entry point '", chosen, "'; it has", names));
    }
    constexpr std::uint32_t main_words[] = {0x6e69616d, 0}; // "main" and the terminating zero
    std::vector<std::uint32_t> out(words.begin(), words.begin() + spirv::header_words);
    std::uint32_t function = 0;
    std::vector<std::uint32_t> removed; // functions of other entry points
    spirv::for_each_instruction(words, [&](const spirv::Instruction& one) {
        const std::string_view literal = one.op() == spirv::Op::entry_point && one.size() > 3
                                             ? spirv::literal(one.words.subspan(3))
                                             : std::string_view();
        if (function == 0 && one.word(1) == compute_model && literal == chosen) {
            const auto interface = interface_of(one);
            function = one.word(2);
            out.push_back(first_word(3 + std::size(main_words) + interface.size(), spirv::Op::entry_point));
            append(out, one.words.subspan(1, 2));
            append(out, main_words);
            append(out, interface);
        } else if (one.op() == spirv::Op::entry_point) {
            removed.push_back(one.word(2));
        } else if ((one.op() != spirv::Op::execution_mode && one.op() != spirv::Op::execution_mode_id) ||
                   one.word(1) == function || std::ranges::find(removed, one.word(1)) == removed.end()) {
            append(out, one.words);
        }
    });
    return out;
}

bool has_hlsl_decorations(std::span<const std::uint32_t> words) {
    bool found = false;
    for (std::size_t at = spirv::header_words; at < words.size() && operation_at(words, at) != spirv::Op::memory_model;
         at += words[at] >> 16U) {
        found = found || (operation_at(words, at) == spirv::Op::extension &&
                          is_hlsl_extension(spirv::literal(words.subspan(at + 1, (words[at] >> 16U) - 1))));
    }
    return found;
}

std::vector<std::uint32_t> without_hlsl_decorations(std::span<const std::uint32_t> words) {
    std::vector<std::uint32_t> out(words.begin(), words.begin() + spirv::header_words);
    spirv::for_each_instruction(words, [&](const spirv::Instruction& one) {
        const bool is_extension =
            one.op() == spirv::Op::extension && is_hlsl_extension(spirv::literal(one.words.subspan(1)));
        const bool is_counter = one.op() == spirv::Op::decorate_id &&
                                spirv::DecorationKind{one.word(2)} == spirv::DecorationKind::counter_buffer;
        const bool is_string = one.op() == spirv::Op::decorate_string || one.op() == spirv::Op::member_decorate_string;
        if (!is_extension && !is_counter && !is_string) {
            append(out, one.words);
        }
    });
    return out;
}

bool uses_layers(std::span<const std::uint32_t> words) {
    constexpr std::uint32_t decorate_with_a_number = first_word(4, spirv::Op::decorate), spec_id = 1;
    for (std::size_t at = spirv::header_words; at < words.size() && operation_at(words, at) != spirv::Op::function;
         at += words[at] >> 16U) {
        if (words[at] == decorate_with_a_number && words[at + 2] == spec_id &&
            (words[at + 3] == subgroup_constant || words[at + 3] == barriers_constant ||
             words[at + 3] == hlsl_subgroup_constant)) {
            return true;
        }
    }
    return false;
}

HlslLayers hlsl_layers(std::span<const std::uint32_t> words) {
    constexpr std::uint32_t decorate_with_a_number = first_word(4, spirv::Op::decorate), spec_id = 1;
    HlslLayers layers;
    std::uint32_t workgroup = 0; // id of the constant
    for (std::size_t at = spirv::header_words; at < words.size() && operation_at(words, at) != spirv::Op::function;
         at += words[at] >> 16U) {
        if (words[at] == decorate_with_a_number && words[at + 2] == spec_id) {
            layers.used = layers.used || words[at + 3] == hlsl_subgroup_constant;
            workgroup = words[at + 3] == hlsl_workgroup_constant ? words[at + 1] : workgroup;
        } else if (words[at] == first_word(4, spirv::Op::spec_constant) && words[at + 2] == workgroup) {
            layers.workgroup = words[at + 3];
        }
    }
    return layers;
}

std::optional<std::vector<std::uint32_t>> without_repetitions(std::span<const std::uint32_t> words) {
    std::map<std::uint32_t, std::uint32_t> built_ins, replaced;             // by variable
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> first; // variable by built-in and type
    std::set<std::vector<std::uint32_t>> decorations;
    std::set<std::uint32_t> listed; // variables of `main`; other entry points may have their own
    bool repeats = false;
    for (std::size_t at = spirv::header_words; at < words.size() && operation_at(words, at) != spirv::Op::function;
         at += words[at] >> 16U) {
        const spirv::Instruction one{words.subspan(at, words[at] >> 16U)};
        if (one.op() == spirv::Op::decorate || one.op() == spirv::Op::member_decorate) {
            repeats = repeats || !decorations.emplace(one.words.begin(), one.words.end()).second;
        }
        if (one.op() == spirv::Op::entry_point && one.size() > 3 && one.word(1) == compute_model &&
            spirv::literal(one.words.subspan(3)) == "main") {
            const auto variables = interface_of(one);
            listed.insert(variables.begin(), variables.end());
        } else if (one.op() == spirv::Op::decorate &&
                   spirv::DecorationKind{one.word(2)} == spirv::DecorationKind::built_in) {
            built_ins.emplace(one.word(1), one.word(3));
        } else if (one.op() == spirv::Op::variable && spirv::StorageClass{one.word(3)} == spirv::StorageClass::input &&
                   built_ins.contains(one.word(2)) && listed.contains(one.word(2))) {
            const auto [same, is_new] = first.emplace(std::pair(built_ins.at(one.word(2)), one.word(1)), one.word(2));
            if (!is_new) {
                replaced.emplace(one.word(2), same->second);
            }
        }
    }
    if (replaced.empty() && !repeats) {
        return std::nullopt;
    }
    decorations.clear();
    std::vector<std::uint32_t> out(words.begin(), words.begin() + spirv::header_words);
    spirv::for_each_instruction(words, [&](const spirv::Instruction& one) {
        const spirv::Op operation = one.op();
        const bool declares = operation == spirv::Op::name || operation == spirv::Op::decorate;
        if (replaced.contains(declares ? one.word(1) : operation == spirv::Op::variable ? one.word(2) : 0)) {
            return;
        }
        if ((operation == spirv::Op::decorate || operation == spirv::Op::member_decorate) &&
            !decorations.emplace(one.words.begin(), one.words.end()).second) {
            return;
        }
        const bool is_entry = operation == spirv::Op::entry_point && one.size() > 3;
        const std::size_t interface = is_entry ? one.size() - interface_of(one).size() : one.size();
        const bool reads = operation == spirv::Op::load || operation == spirv::Op::access_chain ||
                           operation == spirv::Op::in_bounds_access_chain;
        const std::size_t begin = out.size();
        for (std::size_t i = 0; i < one.size(); ++i) {
            const auto other = replaced.find(one.word(i));
            if (i < interface || other == replaced.end()) {
                out.push_back(reads && i == 3 && other != replaced.end() ? other->second : one.word(i));
            }
        }
        out[begin] = first_word(out.size() - begin, operation);
    });
    return out;
}

std::vector<std::uint32_t> with_uniform_control_flow(std::span<const std::uint32_t> words) {
    constexpr std::uint32_t subgroup_uniform_control_flow = 4421;
    constexpr char name[] = "SPV_KHR_subgroup_uniform_control_flow";
    constexpr std::size_t name_words = (sizeof name + 3) / 4; // with the terminating zero
    std::vector<std::uint32_t> extension(1 + name_words);
    extension[0] = first_word(extension.size(), spirv::Op::extension);
    std::memcpy(extension.data() + 1, name, sizeof name);

    // Extensions must come before imports and the memory model, execution modes right after entry points.
    std::vector<std::uint32_t> out(words.begin(), words.begin() + spirv::header_words), modes;
    bool has_extension = false, has_modes = false;
    for (std::size_t at = spirv::header_words; at < words.size();) {
        const spirv::Op operation = operation_at(words, at);
        const std::size_t length = words[at] >> 16U;
        if (!has_extension && (operation == spirv::Op::ext_inst_import || operation == spirv::Op::memory_model)) {
            out.insert(out.end(), extension.begin(), extension.end());
            has_extension = true;
        }
        if (operation == spirv::Op::entry_point) {
            modes.insert(modes.end(),
                         {first_word(3, spirv::Op::execution_mode), words[at + 2], subgroup_uniform_control_flow});
        } else if (!modes.empty() && !has_modes) {
            out.insert(out.end(), modes.begin(), modes.end());
            has_modes = true;
        }
        out.insert(out.end(), words.begin() + static_cast<std::ptrdiff_t>(at),
                   words.begin() + static_cast<std::ptrdiff_t>(at + length));
        at += length;
    }
    return out;
}

std::vector<std::uint32_t> without_workgroup_coherence(std::span<const std::uint32_t> words) {
    constexpr std::uint32_t workgroup_scope = 2;
    constexpr std::uint32_t aligned = 2, make_available = 8, make_visible = 16; // each has an operand, in this order
    std::vector<std::uint32_t> out(words.begin(), words.begin() + spirv::header_words);
    std::vector<std::uint32_t> scopes; // ids of constants with the value `workgroup_scope`
    for (std::size_t at = spirv::header_words; at < words.size();) {
        const auto instruction = words.subspan(at, words[at] >> 16U);
        at += instruction.size();
        const auto operation = operation_at(instruction, 0);
        if (operation == spirv::Op::constant && instruction.size() == 4 && instruction[3] == workgroup_scope) {
            scopes.push_back(instruction[2]);
        }
        const std::size_t mask_at = operation == spirv::Op::load ? 4 : operation == spirv::Op::store ? 3 : words.size();
        const std::size_t begin = out.size();
        for (std::size_t i = 0; i < std::min(mask_at, instruction.size()); ++i) {
            out.push_back(instruction[i]);
        }
        if (mask_at < instruction.size()) {
            const std::uint32_t mask = instruction[mask_at];
            out.push_back(mask);
            std::size_t operand = mask_at + 1;
            for (const std::uint32_t bit : {aligned, make_available, make_visible}) {
                if ((mask & bit) == 0 || operand == instruction.size()) {
                    continue;
                }
                if (bit != aligned && std::ranges::find(scopes, instruction[operand]) != scopes.end()) {
                    out[begin + mask_at] &= ~bit;
                } else {
                    out.push_back(instruction[operand]);
                }
                ++operand;
            }
            for (; operand < instruction.size(); ++operand) {
                out.push_back(instruction[operand]);
            }
            out[begin] = static_cast<std::uint32_t>(out.size() - begin) << 16U | (instruction[0] & 0xffffU);
        }
    }
    return out;
}

} // namespace weir
