#include "engine/shader/shader_includes.hpp"

#include <algorithm>

#include "engine/base/files.hpp"
#include "engine/base/strings.hpp"
#include "engine/shader/shader_library.hpp"

namespace weir {

namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t largest_include = std::uintmax_t{16} << 20U;

} // namespace

std::optional<std::string> read_shader_file(const fs::path& path) {
    const auto bytes = read_file(path, largest_include);
    return bytes ? std::optional(std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size()))
                 : std::nullopt;
}

ShaderIncludes::ShaderIncludes(const ShaderSource& source) : texts_(source.include_texts()) {
    for (const std::string& folder : source.include_folders()) {
        folders_.push_back(path_of(folder));
    }
    std::vector<fs::path> allowed = folders_;
    if (source.is_file()) {
        on_disk_.insert(source.text());
        allowed.push_back(path_of(source.text()).parent_path());
    }
    for (const fs::path& folder : allowed) {
        std::error_code error;
        if (fs::path root = fs::canonical(folder.empty() ? fs::path(".") : folder, error); !error) {
            roots_.push_back(std::move(root));
        }
    }
}

std::optional<ShaderFile> ShaderIncludes::read(const fs::path& path, std::string& why) {
    const std::string name = name_of(path);
    std::error_code error;
    const fs::path real = fs::canonical(path, error);
    if (error) {
        why += concat(why.empty() ? "" : "; ", name, " cannot be read");
        return std::nullopt;
    }
    if (std::none_of(roots_.begin(), roots_.end(), [&](const fs::path& root) { return is_within(root, real); })) {
        why += concat(why.empty() ? "" : "; ", name, " is outside the folders that the shader may include from");
        return std::nullopt;
    }
    auto text = read_shader_file(real);
    if (!text) {
        why += concat(why.empty() ? "" : "; ", name, " cannot be read");
        return std::nullopt;
    }
    on_disk_.insert(name);
    return ShaderFile{name, std::move(*text)};
}

std::optional<ShaderFile> ShaderIncludes::given(const std::string& name) {
    const auto found = std::find_if(texts_.begin(), texts_.end(), [&](const auto& text) { return text.first == name; });
    if (found == texts_.end()) {
        return std::nullopt;
    }
    given_.insert(name);
    return ShaderFile{name, found->second};
}

std::optional<ShaderFile> ShaderIncludes::from_library(const std::string& name) {
    const auto text = shader_library(name);
    if (!text) {
        return std::nullopt;
    }
    from_library_.insert(name);
    return ShaderFile{name, std::string(*text)};
}

tl::expected<ShaderFile, std::string> ShaderIncludes::find(const IncludeRequest& request) {
    const fs::path requested = path_of(request.requested);
    if (requested.is_absolute() || requested.has_root_path()) {
        return tl::unexpected(request.requested + " is absolute; includes must be relative");
    }
    const bool in_library = from_library_.contains(request.requesting);
    const fs::path beside = (path_of(request.requesting).parent_path() / requested).lexically_normal();
    std::string why;
    if (request.relative && (in_library || given_.contains(request.requesting))) {
        if (auto file = given(name_of(beside))) {
            return std::move(*file);
        }
        if (auto file = from_library(name_of(beside))) {
            return std::move(*file);
        }
    }
    if (request.relative && on_disk_.contains(request.requesting)) {
        if (auto file = read(beside, why)) {
            return std::move(*file);
        }
    }
    if (auto file = given(request.requested)) {
        return std::move(*file);
    }
    for (const fs::path& folder : folders_) {
        if (auto file = in_library ? std::nullopt : read((folder / requested).lexically_normal(), why)) {
            return std::move(*file);
        }
    }
    if (auto file = from_library(request.requested)) {
        return std::move(*file);
    }
    return tl::unexpected(!why.empty() ? why
                          : request.relative
                              ? "a shader given as text can include only <weir/...>, texts given with it, and "
                                "files of its include folders"
                              : "it is not in Weir's shader library");
}

} // namespace weir
