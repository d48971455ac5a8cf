#include "zip.hpp"

#include <algorithm>

#include "compression.hpp"
#include "propagate.hpp"

namespace weir::splats {

namespace {

// Records begin with these numbers and have these sizes, without names and comments.
constexpr std::uint32_t end_mark = 0x06054B50, directory_mark = 0x02014B50, local_mark = 0x04034B50;
constexpr std::size_t end_size = 22, directory_size = 46, local_size = 30;

tl::unexpected<Error> damaged_zip() {
    return invalid_file("the directory of the ZIP archive is damaged or incomplete");
}

} // namespace

Result<Zip> Zip::open(Bytes bytes) {
    if (bytes.size() < end_size) {
        return damaged_zip();
    }
    // The end record is followed by a comment of up to 65535 bytes.
    std::size_t end = bytes.size() - end_size;
    const std::size_t first = end - std::min<std::size_t>(end, 0xFFFF);
    while (load<std::uint32_t>(&bytes[end]) != end_mark) {
        if (end-- == first) {
            return damaged_zip();
        }
    }
    Zip zip;
    zip.bytes_ = bytes;
    const auto count = load<std::uint16_t>(&bytes[end + 10]);
    std::size_t at = load<std::uint32_t>(&bytes[end + 16]);
    for (std::uint32_t i = 0; i < count; ++i) {
        if (at > bytes.size() || bytes.size() - at < directory_size ||
            load<std::uint32_t>(&bytes[at]) != directory_mark) {
            return damaged_zip();
        }
        const std::byte* const record = &bytes[at];
        const std::size_t name = load<std::uint16_t>(record + 28);
        const std::size_t extra = load<std::uint16_t>(record + 30) + std::size_t{load<std::uint16_t>(record + 32)};
        at += directory_size;
        if (bytes.size() - at < name + extra) {
            return damaged_zip();
        }
        zip.entries_.emplace_back(std::string(reinterpret_cast<const char*>(record + directory_size), name),
                                  Entry{.method = load<std::uint16_t>(record + 10),
                                        .packed = load<std::uint32_t>(record + 20),
                                        .size = load<std::uint32_t>(record + 24),
                                        .header = load<std::uint32_t>(record + 42)});
        at += name + extra;
    }
    return zip;
}

std::string Zip::find(std::string_view name) const {
    const std::string in_folder = std::string("/").append(name);
    const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const auto& entry) {
        return entry.first == name || entry.first.ends_with(in_folder);
    });
    return found == entries_.end() ? std::string() : found->first;
}

Result<std::vector<std::byte>> Zip::read(const std::string& name, std::size_t most) const {
    const auto found =
        std::find_if(entries_.begin(), entries_.end(), [&](const auto& entry) { return entry.first == name; });
    if (found == entries_.end()) {
        return invalid_file("the ZIP archive has no file " + in_quotes(name));
    }
    const Entry& entry = found->second;
    if (entry.size > most) {
        return invalid_file("the ZIP archive's file " + in_quotes(name) + " has " + std::to_string(entry.size) +
                            " bytes; the maximum is " + std::to_string(most));
    }
    if (entry.header > bytes_.size() || bytes_.size() - entry.header < local_size ||
        load<std::uint32_t>(&bytes_[entry.header]) != local_mark) {
        return damaged_zip();
    }
    const std::byte* const local = &bytes_[entry.header];
    const std::size_t begin =
        entry.header + local_size + load<std::uint16_t>(local + 26) + load<std::uint16_t>(local + 28);
    if (begin > bytes_.size() || bytes_.size() - begin < entry.packed) {
        return invalid_file("the ZIP archive's file " + in_quotes(name) + " is incomplete");
    }
    const Bytes packed = bytes_.subspan(begin, entry.packed);
    if (entry.method == 0) {
        return std::vector<std::byte>(packed.begin(), packed.end());
    }
    if (entry.method != 8) {
        return invalid_file("the ZIP archive's file " + in_quotes(name) + " has compression method " +
                            std::to_string(entry.method) + "; 0 and 8 are supported");
    }
    return inflate(packed, Deflated::raw, entry.size);
}

} // namespace weir::splats
