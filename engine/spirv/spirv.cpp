#include "engine/spirv/spirv.hpp"

#include <algorithm>
#include <cstring>

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

} // namespace

Result<> check_spirv(std::span<const std::uint32_t> words, const std::string& name) {
    const auto fail = [&](const std::string& why) {
        return tl::unexpected(Error{ErrorCode::invalid_argument, concat("'", name, "' is not a SPIR-V shader: ", why)});
    };
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
    bool has_main = false;
    auto operation = spirv::Op{};
    for (std::size_t at = spirv::header_words; at < words.size();) {
        const std::size_t length = words[at] >> 16U;
        if (length == 0 || length > words.size() - at) {
            return fail(concat("the instruction at word ", at, " of ", words.size(), " extends beyond the last word"));
        }
        operation = operation_at(words, at);
        if (operation == spirv::Op::entry_point && length > 3 && words[at + 1] == compute_model) {
            has_main = has_main || spirv::literal(words.subspan(at + 3, length - 3)) == "main";
        }
        at += length;
    }
    if (operation != spirv::Op::function_end) {
        return fail("it does not end with a function");
    }
    if (!has_main) {
        return fail("it has no compute entry point 'main'");
    }
    return {};
}

bool uses_layers(std::span<const std::uint32_t> words) {
    constexpr std::uint32_t decorate_with_a_number = first_word(4, spirv::Op::decorate), spec_id = 1;
    for (std::size_t at = spirv::header_words; at < words.size() && operation_at(words, at) != spirv::Op::function;
         at += words[at] >> 16U) {
        if (words[at] == decorate_with_a_number && words[at + 2] == spec_id &&
            (words[at + 3] == subgroup_constant || words[at + 3] == barriers_constant)) {
            return true;
        }
    }
    return false;
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
