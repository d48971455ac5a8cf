#include "engine/shader/shader_cache.hpp"

#include <algorithm>
#include <filesystem>

#include "engine/base/files.hpp"
#include "engine/base/propagate.hpp"
#include "engine/base/strings.hpp"
#include "engine/codec/unpack.hpp"
#include "engine/spirv/spirv.hpp"

namespace weir {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t max_versions = 4; // per source whose files change

/// Checks that a compilation of `source` would find the same files with the same contents. Files of shipped shaders may
/// be missing.
bool is_of(const ShaderSource& source, const std::vector<Included>& files, bool is_shipped) {
    ShaderIncludes includes(source);
    return std::all_of(files.begin(), files.end(), [&](const Included& file) {
        if (file.request.requesting.empty()) {
            const auto text = read_shader_file(path_of(file.name));
            return text ? included({}, {file.name, *text}).hash == file.hash && text->size() == file.size : is_shipped;
        }
        const auto now = includes.find(file.request);
        if (!now) {
            return is_shipped;
        }
        const Included same = included(file.request, *now);
        return same.name == file.name && same.size == file.size && same.hash == file.hash;
    });
}

} // namespace

std::string shader_cache_file(const std::string& directory) {
    if (directory == "none") {
        return {};
    }
    const fs::path folder = directory.empty() ? user_cache_directory() : path_of(directory);
    return folder.empty() ? std::string() : name_of(folder / "shaders.bin");
}

ShaderCache::ShaderCache(Options options) : options_(std::move(options)), compiler_(options_.load) {
    for (ArchivedShader& shader : options_.shipped) {
        keep(std::move(shader), true);
    }
    has_shipped_ = !options_.shipped.empty();
    options_.shipped.clear();
}

ShaderCache::~ShaderCache() {
    if (has_new_ && !options_.file.empty()) {
        save();
    }
}

std::string ShaderCache::write(const fs::path& file) const {
    const std::lock_guard lock(mutex_);
    std::vector<ArchivedShader> shaders;
    for (const auto& entry : entries_) {
        shaders.push_back(entry->archived);
    }
    return write_archive(file, shaders);
}

std::size_t ShaderCache::kept_bytes() const {
    const std::lock_guard lock(mutex_);
    return bytes_;
}

Result<std::shared_ptr<const CompiledShader>> ShaderCache::get(const ShaderSource& source) {
    if (source.language() == ShaderSource::Language::spirv_words) {
        return get_spirv(source);
    }
    if (source.language() == ShaderSource::Language::packed_words) {
        return get_packed(source);
    }
    if (auto found = find(source)) {
        return found;
    }
    const std::string identity = identity_of(source);
    std::shared_ptr<std::mutex> mine;
    {
        const std::lock_guard lock(mutex_);
        std::erase_if(compiling_, [](const auto& one) { return one.second.expired(); });
        auto& one = compiling_[identity];
        mine = one.lock();
        if (mine == nullptr) {
            one = mine = std::make_shared<std::mutex>();
        }
    }
    const std::lock_guard lock(*mine);
    if (auto found = find(source, identity)) {
        return found;
    }
    auto compiled = compiler_.compile(source);
    if (!compiled) {
        Error error = compiled.error();
        if (error.code == ErrorCode::unsupported && has_shipped_) {
            error.message += "; the context's shader file does not contain it";
        }
        return tl::unexpected(std::move(error));
    }
    auto shader = CompiledShader::create(std::move(compiled->words), source.name());
    WEIR_PROPAGATE(shader);
    keep({identity, std::move(compiled->files), *shader}, false);
    const std::lock_guard all(mutex_);
    has_new_ = true;
    return *shader;
}

std::shared_ptr<const CompiledShader> ShaderCache::find(const ShaderSource& source) {
    if (!source.is_glsl() && !source.is_hlsl()) {
        const auto shader = get(source);
        return shader ? *shader : nullptr;
    }
    std::call_once(loaded_, [this] { load(); });
    return find(source, identity_of(source));
}

Result<std::shared_ptr<const CompiledShader>> ShaderCache::get_spirv(const ShaderSource& source) {
    auto words = with_main(source.words(), source.entry_point(), source.name());
    WEIR_PROPAGATE(words);
    const std::uint64_t hash = hash_spirv(*words);
    const auto find = [&]() -> std::shared_ptr<const CompiledShader> {
        const auto [first, last] = spirv_.equal_range(hash);
        for (auto one = first; one != last; ++one) {
            auto shader = one->second.lock();
            if (shader != nullptr &&
                std::equal(shader->words().begin(), shader->words().end(), words->begin(), words->end())) {
                return shader;
            }
        }
        return nullptr;
    };
    {
        const std::lock_guard lock(mutex_);
        if (auto found = find()) {
            return found;
        }
    }
    auto made = CompiledShader::create(*words, source.name());
    WEIR_PROPAGATE(made);
    const std::lock_guard lock(mutex_);
    if (auto found = find()) {
        return found;
    }
    if (spirv_.size() >= max_spirv_) {
        std::erase_if(spirv_, [](const auto& one) { return one.second.expired(); });
        max_spirv_ = std::max<std::size_t>(64, 2 * spirv_.size());
    }
    spirv_.emplace(hash, *made);
    return made;
}

Result<std::shared_ptr<const CompiledShader>> ShaderCache::get_packed(const ShaderSource& source) {
    const Packed* const packed = source.packed_words();
    const auto find = [&] { return packed_[packed].lock(); };
    {
        const std::lock_guard lock(mutex_);
        if (auto found = find()) {
            return found;
        }
    }
    auto made = CompiledShader::create(unpack_words(*packed), source.name());
    WEIR_PROPAGATE(made);
    const std::lock_guard lock(mutex_);
    if (auto found = find()) {
        return found;
    }
    packed_[packed] = *made;
    return made;
}

std::shared_ptr<const CompiledShader> ShaderCache::find(const ShaderSource& source, const std::string& identity) {
    std::vector<std::shared_ptr<const Entry>> candidates;
    {
        const std::lock_guard lock(mutex_);
        const auto [first, last] = by_identity_.equal_range(identity);
        std::for_each(first, last, [&](const auto& one) { candidates.push_back(*one.second); });
    }
    for (const auto& candidate : candidates) {
        if (!is_of(source, candidate->archived.files, candidate->is_shipped)) {
            continue;
        }
        const std::lock_guard lock(mutex_);
        const auto [first, last] = by_identity_.equal_range(identity);
        const auto entry = std::find_if(first, last, [&](const auto& one) { return *one.second == candidate; });
        if (entry != last) {
            entries_.splice(entries_.begin(), entries_, entry->second);
        }
        return candidate->archived.shader;
    }
    return nullptr;
}

void ShaderCache::keep(ArchivedShader shader, bool is_shipped) {
    const std::lock_guard lock(mutex_);
    bytes_ += is_shipped ? 0 : shader.size();
    entries_.push_front(std::make_shared<const Entry>(Entry{std::move(shader), is_shipped}));
    const std::string_view identity = entries_.front()->archived.identity;
    by_identity_.emplace(identity, entries_.begin());
    std::size_t versions = by_identity_.count(identity);
    for (auto entry = entries_.end(); versions > max_versions && entry != entries_.begin();) {
        --entry;
        if ((*entry)->archived.identity == identity && !(*entry)->is_shipped) {
            forget(entry++);
            --versions;
        }
    }
    for (auto entry = entries_.end(); bytes_ > options_.max_bytes && entry != entries_.begin();) {
        --entry;
        if (!(*entry)->is_shipped) {
            forget(entry++);
        }
    }
}

void ShaderCache::forget(Entries::iterator entry) {
    const ArchivedShader& shader = (*entry)->archived;
    bytes_ -= shader.size();
    const auto [first, last] = by_identity_.equal_range(shader.identity);
    by_identity_.erase(std::find_if(first, last, [&](const auto& one) { return one.second == entry; }));
    entries_.erase(entry);
}

void ShaderCache::load() {
    if (options_.file.empty() || !is_there(path_of(options_.file))) {
        return;
    }
    auto shaders = read_archive(path_of(options_.file));
    if (!shaders) {
        if (options_.warn) {
            options_.warn(concat("the shader cache ", options_.file, " is ignored: it ", shaders.error()));
        }
        return;
    }
    std::for_each(shaders->rbegin(), shaders->rend(), [&](ArchivedShader& shader) { keep(std::move(shader), false); });
}

void ShaderCache::save() const {
    std::vector<ArchivedShader> shaders;
    std::size_t bytes = 0;
    const auto add = [&](const ArchivedShader& shader) {
        bytes += shader.size();
        if (bytes <= options_.max_bytes) {
            shaders.push_back(shader);
        }
    };
    for (const auto& entry : entries_) {
        if (!entry->is_shipped) {
            add(entry->archived);
        }
    }
    // Another context may have written the file since. Its shaders are kept as far as they fit.
    if (const auto others = read_archive(path_of(options_.file))) {
        for (const ArchivedShader& other : *others) {
            const auto [first, last] = by_identity_.equal_range(other.identity);
            const bool is_known = std::any_of(
                first, last, [&](const auto& one) { return *(*one.second)->archived.shader == *other.shader; });
            if (!is_known) {
                add(other);
            }
        }
    }
    if (const std::string why = write_archive(path_of(options_.file), shaders); !why.empty() && options_.warn) {
        options_.warn(concat("the shader cache ", options_.file, " is not saved: ", why));
    }
}

} // namespace weir
