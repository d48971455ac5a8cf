// Packs files for engine/codec/unpack.hpp.
//
//     weir_pack spirv INPUT OUTPUT   writes numbers for inclusion between the braces of an array
//     weir_pack texts LIST OUTPUT    LIST has a line `NAME FILE` for each text; writes an array of bytes for each text
//                                    and the array `list` of {NAME, packed text}

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "engine/codec/packer.hpp"

namespace {

/// Returns GLSL without its line comments, which a program does not need. Lines keep their numbers.
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

/// Returns the contents of a file, or an empty string if it cannot be read.
std::string read(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::string numbers(const std::vector<std::uint8_t>& bytes) {
    std::string out;
    for (const std::uint8_t byte : bytes) {
        out += std::to_string(byte) + (out.size() % 128 < 124 ? "," : ",\n");
    }
    return out + '\n';
}

/// Returns the packed module as text, or an empty string if `contents` is not SPIR-V.
std::string pack_spirv(const std::string& contents) {
    std::vector<std::uint32_t> words(contents.size() / sizeof(std::uint32_t));
    std::memcpy(words.data(), contents.data(), words.size() * sizeof(std::uint32_t));
    const std::vector<std::uint8_t> packed = weir::pack_spirv(std::move(words));
    return packed.empty() ? std::string() : numbers(packed);
}

/// Returns the packed texts of a list, or an empty string if a text is empty or cannot be read.
std::string pack_texts(const std::string& list) {
    std::string arrays, entries;
    std::istringstream lines(list);
    int count = 0;
    for (std::string name, file; lines >> name && std::getline(lines >> std::ws, file); ++count) {
        const std::string text = read(file);
        if (text.empty()) {
            std::fprintf(stderr, "weir_pack: %s is empty or cannot be read\n", file.c_str());
            return {};
        }
        const std::string array = "text_" + std::to_string(count);
        arrays +=
            "constexpr std::uint8_t " + array + "[] = {\n" + numbers(weir::pack_text(without_comments(text))) + "};\n";
        entries += "    {\"" + name + "\", {" + array + ", sizeof " + array + "}},\n";
    }
    return entries.empty() ? std::string() : arrays + "constexpr Text list[] = {\n" + entries + "};\n";
}

} // namespace

int main(int argument_count, char** arguments) {
    const bool is_spirv = argument_count == 4 && std::strcmp(arguments[1], "spirv") == 0;
    const bool is_texts = argument_count == 4 && std::strcmp(arguments[1], "texts") == 0;
    if (!is_spirv && !is_texts) {
        std::fputs("usage: weir_pack spirv INPUT OUTPUT\n       weir_pack texts LIST OUTPUT\n", stderr);
        return 2;
    }
    const std::string contents = read(arguments[2]);
    const std::string packed = is_spirv ? pack_spirv(contents) : pack_texts(contents);
    std::ofstream out(arguments[3], std::ios::binary);
    out << packed;
    out.close();
    if (packed.empty() || !out) {
        std::fprintf(stderr, "weir_pack: %s cannot be packed into %s\n", arguments[2], arguments[3]);
        return 1;
    }
    return 0;
}
