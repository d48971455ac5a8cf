#include "engine/shader/compiled_shader.hpp"

#include <algorithm>

#include "engine/base/hash.hpp"
#include "engine/base/propagate.hpp"
#include "engine/spirv/spirv.hpp"

namespace weir {

namespace {

constexpr std::size_t max_reflections = 32; // per shader

template <class T>
bool equal(const std::vector<T>& one, std::span<const T> other) {
    return std::equal(one.begin(), one.end(), other.begin(), other.end());
}

} // namespace

std::uint64_t hash_spirv(std::span<const std::uint32_t> words) {
    return hash_content(std::as_bytes(words));
}

CompiledShader::CompiledShader(std::vector<std::uint32_t> words)
    : words_(std::move(words)), hash_(hash_spirv(words_)), uses_layers_(weir::uses_layers(words_)) {}

Result<std::shared_ptr<const CompiledShader>> CompiledShader::create(std::vector<std::uint32_t> words,
                                                                     const std::string& name) {
    WEIR_PROPAGATE(check_spirv(words, name));
    return std::shared_ptr<const CompiledShader>(new CompiledShader(std::move(words)));
}

std::shared_ptr<const Reflection> CompiledShader::reflection(std::span<const std::uint32_t> constants,
                                                             std::span<const std::optional<std::uint32_t>> push) const {
    const auto find = [&] {
        return std::find_if(reflected_.begin(), reflected_.end(), [&](const Reflected& one) {
            return equal(one.constants, constants) && equal(one.push, push);
        });
    };
    {
        const std::lock_guard lock(mutex_);
        if (const auto found = find(); found != reflected_.end()) {
            reflected_.splice(reflected_.begin(), reflected_, found);
            return found->reflection;
        }
    }
    auto made = std::make_shared<const Reflection>(reflect(words_, constants, push));
    const std::lock_guard lock(mutex_);
    if (find() == reflected_.end()) {
        reflected_.push_front({{constants.begin(), constants.end()}, {push.begin(), push.end()}, made});
        if (reflected_.size() > max_reflections) {
            reflected_.pop_back();
        }
    }
    return made;
}

bool operator==(const CompiledShader& one, const CompiledShader& other) {
    return &one == &other || (one.hash_ == other.hash_ && one.words_ == other.words_);
}

} // namespace weir
