#include "engine/codec/renumber.hpp"

#include <algorithm>
#include <optional>
#include <span>

namespace weir {

namespace {

/// Operands of an instruction: `ids` ids, then `plain` words that are not ids, then `rest`.
struct Operands {
    std::uint32_t ids = 0;
    std::uint32_t plain = 0;
    enum class Rest : std::uint8_t { ids, plain, memory, name, targets } rest = Rest::ids;
};

constexpr bool is_between(std::uint32_t opcode, std::uint32_t first, std::uint32_t last) {
    return opcode >= first && opcode <= last;
}

/// Returns the operands of an opcode as in the SPIR-V specification, or nothing if it is unknown here.
std::optional<Operands> operands_of(std::uint32_t opcode) {
    using Rest = Operands::Rest;
    switch (opcode) {
    case 10: // OpExtension
    case 14: // OpMemoryModel
    case 17: // OpCapability
        return Operands{0, 0, Rest::plain};
    case 5:   // OpName
    case 6:   // OpMemberName
    case 11:  // OpExtInstImport
    case 16:  // OpExecutionMode
    case 21:  // OpTypeInt
    case 22:  // OpTypeFloat
    case 71:  // OpDecorate
    case 72:  // OpMemberDecorate
    case 247: // OpSelectionMerge
        return Operands{1, 0, Rest::plain};
    case 15: return Operands{0, 1, Rest::name}; // OpEntryPoint
    case 23:                                    // OpTypeVector
    case 24:                                    // OpTypeMatrix
    case 43:                                    // OpConstant
    case 50:                                    // OpSpecConstant
    case 246:                                   // OpLoopMerge
        return Operands{2, 0, Rest::plain};
    case 32:  // OpTypePointer
    case 331: // OpExecutionModeId
        return Operands{1, 1};
    case 12: return Operands{3, 1}; // OpExtInst
    case 54:                        // OpFunction
    case 59:                        // OpVariable
        return Operands{2, 1};
    case 61: return Operands{3, 0, Rest::memory}; // OpLoad
    case 62: return Operands{2, 0, Rest::memory}; // OpStore
    case 68:                                      // OpArrayLength
    case 81:                                      // OpCompositeExtract
    case 250:                                     // OpBranchConditional
        return Operands{3, 0, Rest::plain};
    case 79: // OpVectorShuffle
    case 82: // OpCompositeInsert
        return Operands{4, 0, Rest::plain};
    case 251: return Operands{2, 0, Rest::targets}; // OpSwitch
    case 342: return Operands{3, 1};                // OpGroupNonUniformBallotBitCount
    default: break;
    }
    if (is_between(opcode, 349, 364)) { // OpGroupNonUniformIAdd and others
        return Operands{3, 1};
    }
    const bool has_ids_only =
        opcode == 1 || is_between(opcode, 19, 20) || is_between(opcode, 28, 30) || opcode == 33 ||
        is_between(opcode, 41, 42) || opcode == 44 || is_between(opcode, 48, 49) || opcode == 51 ||
        is_between(opcode, 55, 57) || is_between(opcode, 65, 67) || is_between(opcode, 77, 78) || opcode == 80 ||
        is_between(opcode, 83, 84) || is_between(opcode, 109, 116) || opcode == 124 || is_between(opcode, 126, 152) ||
        is_between(opcode, 154, 191) || is_between(opcode, 194, 205) || is_between(opcode, 224, 225) ||
        is_between(opcode, 227, 242) || opcode == 245 || is_between(opcode, 248, 249) || is_between(opcode, 252, 255) ||
        is_between(opcode, 333, 341) || is_between(opcode, 343, 348);
    return has_ids_only ? std::optional(Operands{}) : std::nullopt;
}

/// Returns the operands of an instruction. OpSpecConstantOp contains the opcode of another instruction. It is supported
/// only if all operands of that instruction are ids.
std::optional<Operands> operands_of(std::span<const std::uint32_t> instruction) {
    const std::uint32_t opcode = instruction[0] & 0xFFFF;
    if (opcode != 52) {
        return operands_of(opcode);
    }
    const auto inner = instruction.size() > 3 ? operands_of(instruction[3]) : std::nullopt;
    return inner && inner->ids == 0 ? std::optional(Operands{2, 1}) : std::nullopt;
}

/// Returns the index of the word with the id that an instruction defines, or 0 if it defines none.
std::size_t result_place(std::uint32_t opcode) {
    constexpr std::uint32_t without[] = {5, 6, 10, 14, 15, 16, 17, 56, 62, 71, 72, 224, 225, 228, 246, 247, 331};
    if (std::ranges::find(without, opcode) != std::end(without) || is_between(opcode, 249, 255)) {
        return 0;
    }
    const bool has_type = opcode != 11 && opcode != 248 && !is_between(opcode, 19, 33);
    return has_type ? 2 : 1;
}

bool ends_a_string(std::uint32_t word) {
    return (word & 0xFF) == 0 || (word >> 8 & 0xFF) == 0 || (word >> 16 & 0xFF) == 0 || word >> 24 == 0;
}

/// Calls `visit` for each word of the instruction that is an id. Returns false if the instruction is unknown.
template <class Visit>
bool visit_ids(std::span<std::uint32_t> instruction, const Visit& visit) {
    using Rest = Operands::Rest;
    const auto operands = operands_of(instruction);
    if (!operands) {
        return false;
    }
    std::size_t at = 1;
    const auto take = [&](std::size_t count) {
        for (std::size_t i = 0; i < count && at < instruction.size(); ++i) {
            visit(instruction[at++]);
        }
    };
    take(operands->ids);
    at += operands->plain;
    if (operands->rest == Rest::memory && at < instruction.size()) {
        constexpr std::uint32_t has_alignment = 2;
        at += (instruction[at] & has_alignment) != 0 ? 2 : 1;
    } else if (operands->rest == Rest::name) {
        take(1);
        while (at < instruction.size() && !ends_a_string(instruction[at++])) {
        }
    }
    if (operands->rest == Rest::targets) {
        for (; at + 1 < instruction.size(); at += 2) {
            visit(instruction[at + 1]);
        }
    } else if (operands->rest != Rest::plain) {
        take(instruction.size());
    }
    return true;
}

/// Calls `visit` for each instruction until it returns false. Returns true if it never did, and the module has
/// instructions.
template <class Visit>
bool visit_instructions(std::vector<std::uint32_t>& words, const Visit& visit) {
    constexpr std::size_t header_words = 5;
    for (std::size_t at = header_words; at < words.size();) {
        const std::size_t length = words[at] >> 16;
        if (length == 0 || length > words.size() - at || !visit(std::span(words).subspan(at, length))) {
            return false;
        }
        at += length;
    }
    return words.size() > header_words;
}

} // namespace

bool renumber_ids(std::vector<std::uint32_t>& words) {
    constexpr std::size_t bound_word = 3;
    std::vector<std::uint32_t> numbers(words.size() > bound_word ? words[bound_word] : 0); // new ids; 0: undefined
    const bool is_known = visit_instructions(words, [&](std::span<std::uint32_t> instruction) {
        bool is_valid = true;
        const bool known =
            visit_ids(instruction, [&](std::uint32_t id) { is_valid = is_valid && id < numbers.size(); });
        return known && is_valid;
    });
    if (!is_known) {
        return false;
    }
    std::uint32_t count = 0;
    visit_instructions(words, [&](std::span<std::uint32_t> instruction) {
        const std::size_t place = result_place(instruction[0] & 0xFFFF);
        if (place != 0 && place < instruction.size()) {
            numbers[instruction[place]] = ++count;
        }
        return true;
    });
    bool all_are_defined = true;
    std::vector<std::uint32_t> renumbered = words;
    visit_instructions(renumbered, [&](std::span<std::uint32_t> instruction) {
        return visit_ids(instruction, [&](std::uint32_t& id) {
            id = numbers[id];
            all_are_defined = all_are_defined && id != 0;
        });
    });
    if (all_are_defined) {
        words = std::move(renumbered);
    }
    return all_are_defined;
}

} // namespace weir
