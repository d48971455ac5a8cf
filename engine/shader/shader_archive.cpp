#include "engine/shader/shader_archive.hpp"

#include <cstring>
#include <optional>
#include <string_view>
#include <type_traits>

#include "engine/base/files.hpp"
#include "engine/base/hash.hpp"
#include "engine/base/strings.hpp"

namespace weir {

namespace {

constexpr std::uintmax_t largest_archive = std::uintmax_t{1} << 30U;

/// Identifies the compiler's settings and the format below. Must be changed when either changes.
constexpr std::string_view target = "2: GLSL 460, Vulkan 1.3, SPIR-V 1.6, performance; HLSL, Vulkan 1.1";

/// Header before the shaders. Its size and hash ensure that a truncated or changed file is not used.
struct ArchiveHeader {
    char magic[8] = {'W', 'E', 'I', 'R', 'S', 'H', 'D', '1'};
    std::uint64_t size = 0;
    std::uint64_t hash = 0;
};

class Writer {
public:
    void number(std::uint64_t value) { bytes(std::as_bytes(std::span(&value, 1))); }
    void text(std::string_view value) {
        number(value.size());
        bytes(std::as_bytes(std::span(value)));
    }
    void words(std::span<const std::uint32_t> value) {
        number(value.size());
        bytes(std::as_bytes(value));
    }
    [[nodiscard]] const std::vector<std::byte>& written() const { return out_; }

private:
    void bytes(std::span<const std::byte> value) { out_.insert(out_.end(), value.begin(), value.end()); }
    std::vector<std::byte> out_;
};

/// Reads values from bytes. A read past the end returns an empty value and sets `is_past_end`.
class Reader {
public:
    explicit Reader(std::span<const std::byte> bytes) : left_(bytes) {}

    std::uint64_t number() {
        std::uint64_t value = 0;
        copy(&value, 1);
        return value;
    }
    std::string text() { return many<std::string>(); }
    std::vector<std::uint32_t> words() { return many<std::vector<std::uint32_t>>(); }
    [[nodiscard]] bool is_past_end() const { return past_end_; }
    [[nodiscard]] bool is_at_end() const { return left_.empty() || past_end_; }

private:
    template <class Items>
    Items many() {
        const std::uint64_t count = number();
        past_end_ = past_end_ || count > left_.size() / sizeof(typename Items::value_type);
        Items items(past_end_ ? 0 : static_cast<std::size_t>(count), {});
        copy(items.data(), items.size());
        return items;
    }
    template <class Item>
    void copy(Item* items, std::size_t count) {
        past_end_ = past_end_ || count > left_.size() / sizeof(Item);
        if (!past_end_ && count != 0) {
            std::memcpy(items, left_.data(), count * sizeof(Item));
            left_ = left_.subspan(count * sizeof(Item));
        }
    }

    std::span<const std::byte> left_;
    bool past_end_ = false;
};

void write(Writer& out, const ArchivedShader& one) {
    out.text(one.identity);
    out.number(one.files.size());
    for (const Included& file : one.files) {
        out.text(file.request.requested);
        out.text(file.request.requesting);
        out.number(file.request.relative ? 1 : 0);
        out.text(file.name);
        out.number(file.size);
        out.number(file.hash);
    }
    out.words(one.shader->words());
}

std::optional<ArchivedShader> read(Reader& in) {
    ArchivedShader one;
    one.identity = in.text();
    for (std::uint64_t left = in.number(); left != 0 && !in.is_past_end(); --left) {
        Included& file = one.files.emplace_back();
        file.request.requested = in.text();
        file.request.requesting = in.text();
        file.request.relative = in.number() != 0;
        file.name = in.text();
        file.size = in.number();
        file.hash = in.number();
    }
    auto shader = CompiledShader::create(in.words(), "shader");
    if (in.is_past_end() || !shader) {
        return std::nullopt;
    }
    one.shader = std::move(*shader);
    return one;
}

} // namespace

std::size_t ArchivedShader::size() const {
    std::size_t bytes = 64 + identity.size() + shader->words().size_bytes();
    for (const Included& file : files) {
        bytes += 64 + file.request.requested.size() + file.request.requesting.size() + file.name.size();
    }
    return bytes;
}

std::string identity_of(const ShaderSource& source) {
    std::string out;
    const auto add = [&out](std::string_view part) { out += concat(part.size(), " ", part); };
    add(target);
    add(source.is_hlsl() ? "HLSL" : "GLSL");
    add(source.entry_point());
    add(source.is_file() ? "file" : "text");
    add(source.text());
    for (const auto& [macro, value] : source.macros()) {
        add("macro");
        add(macro);
        add(value);
    }
    for (const std::string& folder : source.include_folders()) {
        add("folder");
        add(folder);
    }
    return out;
}

tl::expected<std::vector<ArchivedShader>, std::string> read_archive(const std::filesystem::path& path) {
    const auto bytes = read_file(path, largest_archive);
    if (!bytes) {
        return tl::unexpected(std::string("cannot be read"));
    }
    ArchiveHeader header;
    if (bytes->size() < sizeof header || std::memcmp(bytes->data(), header.magic, sizeof header.magic) != 0) {
        return tl::unexpected(std::string("is not a shader archive"));
    }
    std::memcpy(&header, bytes->data(), sizeof header);
    const std::span data = std::span(*bytes).subspan(sizeof header);
    if (header.size != data.size() || header.hash != hash_content(data)) {
        return tl::unexpected(std::string("is damaged"));
    }
    Reader in(data);
    if (in.text() != target) {
        return tl::unexpected(std::string("was written by another version of Weir"));
    }
    std::vector<ArchivedShader> shaders;
    while (!in.is_at_end()) {
        auto one = read(in);
        if (!one) {
            return tl::unexpected(std::string("is damaged"));
        }
        shaders.push_back(std::move(*one));
    }
    return shaders;
}

std::string write_archive(const std::filesystem::path& path, std::span<const ArchivedShader> shaders) {
    Writer out;
    out.text(target);
    for (const ArchivedShader& one : shaders) {
        write(out, one);
    }
    ArchiveHeader header;
    header.size = out.written().size();
    header.hash = hash_content(out.written());
    const std::span<const std::byte> parts[] = {std::as_bytes(std::span(&header, 1)), out.written()};
    return write_file(path, parts);
}

} // namespace weir
