#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/base/hash.hpp"
#include "engine/pipeline/pipeline_file.hpp"
#include "engine/shader/compiled_shader.hpp"
#include "engine/shader/shader_archive.hpp"
#include "engine/spirv/reflection.hpp"
#include "engine/spirv/spirv.hpp"
#include "engine/spirv/spirv_support.hpp"
#include "tests/fuzz/fed_file.hpp"
#include "tests/fuzz/targets.hpp"

namespace weir::fuzz {

void spirv(Bytes bytes) {
    std::vector<std::uint32_t> words(bytes.size() / 4);
    if (!words.empty()) {
        std::memcpy(words.data(), bytes.data(), words.size() * 4);
    }
    const std::uint32_t constants[] = {256, 32, words.empty() ? 0 : words.back()};
    const std::optional<std::uint32_t> push[] = {0, std::nullopt, 7};
    (void)reflect(words);
    (void)reflect(words, constants, push);
    (void)with_main(words, "", "fed");
    (void)with_main(words, "work", "fed");
    if (!check_spirv(words, "fed")) {
        return; // the other functions require valid SPIR-V
    }
    (void)uses_layers(words);
    (void)hlsl_layers(words);
    (void)has_hlsl_decorations(words);
    (void)without_hlsl_decorations(words);
    (void)without_repetitions(words);
    (void)with_uniform_control_flow(words);
    (void)without_workgroup_coherence(words);
    for (const SpirvSupport& support :
         {SpirvSupport{.size_from_constants = false}, SpirvSupport{.version = spirv_1_5, .device_scope = false},
          SpirvSupport{.memory_model = false}}) {
        (void)supported_spirv(words, support);
    }
    (void)CompiledShader::create(words, "fed");
}

void shader_archive(Bytes bytes) {
    struct {
        char magic[8] = {'W', 'E', 'I', 'R', 'S', 'H', 'D', '1'};
        std::uint64_t size = 0, hash = 0;
    } header;
    // The hash only detects accidental damage. A file with a correct hash may have any contents.
    header.size = bytes.size();
    header.hash = hash_content(std::as_bytes(bytes));
    const FedFile file{{reinterpret_cast<const std::uint8_t*>(&header), sizeof header}, bytes};
    (void)read_archive(file.name());
}

void pipelines(Bytes bytes) {
    const PipelineData fed = std::as_bytes(bytes);
    (void)parts_of(fed);
    // A file as Weir writes it, with the data of two devices.
    const PipelineData first = fed.first(fed.size() / 2), second = fed.subspan(first.size());
    std::vector<std::byte> file;
    for (const PipelineData part : {first, second}) {
        const PipelineFileHeader header = header_of(part);
        const auto words = std::as_bytes(std::span(&header, 1));
        file.insert(file.end(), words.begin(), words.end());
        file.insert(file.end(), part.begin(), part.end());
    }
    const auto parts = parts_of(file);
    if (!parts || parts->size() != 2 || !std::ranges::equal((*parts)[0], first) ||
        !std::ranges::equal((*parts)[1], second)) {
        std::abort();
    }
}

} // namespace weir::fuzz
