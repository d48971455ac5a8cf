#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace weir::tests {

using Words = std::vector<std::uint32_t>;

/// Returns the instructions of a SPIR-V module, each with all its words.
inline std::vector<Words> instructions(const Words& module) {
    std::vector<Words> found;
    for (std::size_t at = 5; at < module.size(); at += module[at] >> 16) {
        const auto words = std::span(module).subspan(at, module[at] >> 16);
        found.emplace_back(words.begin(), words.end());
    }
    return found;
}

/// Returns the operands of the instructions with this opcode.
inline std::vector<Words> instructions(const Words& module, std::uint32_t opcode) {
    std::vector<Words> found;
    for (const Words& words : instructions(module)) {
        if ((words[0] & 0xFFFF) == opcode) {
            found.emplace_back(words.begin() + 1, words.end());
        }
    }
    return found;
}

/// Returns the opcode of each instruction.
inline Words opcodes(const Words& module) {
    Words found;
    for (const Words& words : instructions(module)) {
        found.push_back(words[0] & 0xFFFF);
    }
    return found;
}

} // namespace weir::tests
