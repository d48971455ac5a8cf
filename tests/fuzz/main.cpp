// weir_fuzz TARGET FILE...: feeds files to a target. Without arguments, prints the targets. If built with
// WEIR_LIBFUZZER, libFuzzer feeds the target that the environment variable WEIR_FUZZ_TARGET names.

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>
#include <vector>

#include "tests/fuzz/targets.hpp"

namespace {

const weir::fuzz::Target* find(std::string_view name) {
    for (const weir::fuzz::Target& target : weir::fuzz::targets) {
        if (name == target.name) {
            return &target;
        }
    }
    std::fprintf(stderr, "weir_fuzz: no target '%.*s'\n", static_cast<int>(name.size()), name.data());
    return nullptr;
}

} // namespace

#if defined(WEIR_LIBFUZZER)

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const weir::fuzz::Target* const target = [] {
        const char* const name = std::getenv("WEIR_FUZZ_TARGET");
        return find(name == nullptr ? "" : name);
    }();
    if (target == nullptr) {
        std::exit(2);
    }
    target->feed({data, size});
    return 0;
}

#else

int main(int argc, char** argv) {
    if (argc < 2) {
        for (const weir::fuzz::Target& target : weir::fuzz::targets) {
            std::printf("%s\n", target.name);
        }
        return 0;
    }
    const weir::fuzz::Target* const target = find(argv[1]);
    if (target == nullptr) {
        return 2;
    }
    for (int i = 2; i < argc; ++i) {
        std::ifstream file(argv[i], std::ios::binary);
        if (!file) {
            std::fprintf(stderr, "weir_fuzz: '%s' cannot be read\n", argv[i]);
            return 2;
        }
        const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
        target->feed({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
    }
    std::printf("%s: %d files\n", target->name, argc - 2);
    return 0;
}

#endif
