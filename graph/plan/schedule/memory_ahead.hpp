#pragma once

#include <cstdint>
#include <vector>

#include "graph/plan/schedule/transient_use.hpp"

namespace weir {

/// The bytes that will be alive at each pass of a reference order that has not run yet, while passes run in another
/// order. A pass that runs early allocates its transients for all passes of the reference order until its place there.
class MemoryAhead {
public:
    MemoryAhead(const TransientUse& use, const std::vector<std::uint32_t>& reference);

    /// Checks that at most `max_bytes` bytes will be alive at each remaining pass if `pass` runs next.
    [[nodiscard]] bool fits(std::uint32_t pass, std::uint64_t max_bytes) const;
    /// Runs `pass` next.
    void run(std::uint32_t pass);

private:
    /// A segment tree: the maximum of ranges of values, with additions to ranges.
    class MaxTree {
    public:
        explicit MaxTree(const std::vector<std::int64_t>& values);
        void add(std::size_t begin, std::size_t end, std::int64_t bytes) { add(1, 0, leaves_, {begin, end, bytes}); }
        [[nodiscard]] std::int64_t max(std::size_t end) const;

    private:
        struct Addition {
            std::size_t begin, end;
            std::int64_t bytes;
        };
        void add(std::size_t node, std::size_t first, std::size_t last, const Addition& addition);

        std::size_t leaves_;
        std::vector<std::int64_t> max_, added_; ///< per node: maximum, with its own additions; and these additions
    };
    struct Life {
        std::uint32_t first = 0,
                      last = 0; ///< range in `users_` of users that have not run: the first and past the last
        bool is_alive = false;
    };

    const TransientUse& use_;
    std::vector<std::uint32_t> place_; ///< per pass: place in the reference order
    std::vector<Life> lives_;          ///< per transient
    std::vector<std::uint32_t> users_; ///< places of the users of each transient, ascending
    std::vector<bool> has_run_;        ///< per place
    MaxTree bytes_;
};

} // namespace weir
