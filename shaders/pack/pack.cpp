// weir_pack text|spirv INPUT OUTPUT: packs a file for engine/unpack.hpp, as numbers to be included between the braces
// of an array.

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "shaders/pack/packer.hpp"

namespace {

/// GLSL without its line comments: nobody reads them in a program. Lines keep their numbers.
std::string without_comments(const std::string& text) {
    std::string out;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        line.resize(std::min(line.find("//"), line.size()));
        line.resize(line.find_last_not_of(' ') + 1);
        out += line + '\n';
    }
    return out;
}

std::vector<std::uint8_t> pack(const std::string& contents, bool is_text) {
    if (is_text) {
        return weir::pack_text(without_comments(contents));
    }
    std::vector<std::uint32_t> words(contents.size() / sizeof(std::uint32_t));
    std::memcpy(words.data(), contents.data(), words.size() * sizeof(std::uint32_t));
    return weir::pack_spirv(std::move(words));
}

} // namespace

int main(int argument_count, char** arguments) {
    if (argument_count != 4) {
        std::fputs("usage: weir_pack text|spirv INPUT OUTPUT\n", stderr);
        return 2;
    }
    std::ifstream in(arguments[2], std::ios::binary);
    const std::string contents{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    const std::vector<std::uint8_t> packed = pack(contents, std::strcmp(arguments[1], "text") == 0);
    std::string numbers;
    for (const std::uint8_t byte : packed) {
        numbers += std::to_string(byte) + (numbers.size() % 128 < 124 ? "," : ",\n");
    }
    std::ofstream out(arguments[3], std::ios::binary);
    out << numbers << '\n';
    out.close();
    if (!in || packed.empty() || !out) {
        std::fprintf(stderr, "weir_pack: %s cannot be packed into %s\n", arguments[2], arguments[3]);
        return 1;
    }
    return 0;
}
