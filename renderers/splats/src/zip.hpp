#pragma once

#include <optional>
#include <unordered_map>

#include "source.hpp"

namespace weir::splats {

/// Files of a ZIP archive, which may be stored or deflated.
class Zip {
public:
    /// Reads the directory of an archive.
    static Result<Zip> open(Bytes bytes);

    /// Returns the name of the first file whose name is `name` in any folder; empty if there is none.
    [[nodiscard]] std::string find(std::string_view name) const;
    /// Returns the contents of a file of at most `most` bytes.
    [[nodiscard]] Result<std::vector<std::byte>> read(const std::string& name, std::size_t most) const;

private:
    struct Entry {
        std::uint32_t method = 0, packed = 0, size = 0, header = 0;
    };

    Bytes bytes_;
    std::vector<std::pair<std::string, Entry>> entries_;
};

} // namespace weir::splats
