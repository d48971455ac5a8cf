#include "graph/plan/schedule/memory_ahead.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace weir {

namespace {

constexpr std::int64_t never = std::numeric_limits<std::int64_t>::min() / 4;

} // namespace

MemoryAhead::MaxTree::MaxTree(const std::vector<std::int64_t>& values)
    : leaves_(std::bit_ceil(std::max<std::size_t>(values.size(), 1))), max_(2 * leaves_, never),
      added_(2 * leaves_, 0) {
    std::copy(values.begin(), values.end(), max_.begin() + static_cast<std::ptrdiff_t>(leaves_));
    for (std::size_t node = leaves_ - 1; node > 0; --node) {
        max_[node] = std::max(max_[2 * node], max_[2 * node + 1]);
    }
}

void MemoryAhead::MaxTree::add(std::size_t node, std::size_t first, std::size_t last, const Addition& addition) {
    if (addition.end <= first || last <= addition.begin) {
        return;
    }
    if (addition.begin <= first && last <= addition.end) {
        max_[node] += addition.bytes;
        added_[node] += addition.bytes;
        return;
    }
    const std::size_t middle = (first + last) / 2;
    add(2 * node, first, middle, addition);
    add(2 * node + 1, middle, last, addition);
    max_[node] = std::max(max_[2 * node], max_[2 * node + 1]) + added_[node];
}

std::int64_t MemoryAhead::MaxTree::max(std::size_t end) const {
    std::int64_t found = never, above = 0; // `above`: additions to the nodes above
    std::size_t node = 1, first = 0, last = leaves_;
    while (end > first) {
        if (last <= end) {
            return std::max(found, max_[node] + above);
        }
        const std::size_t middle = (first + last) / 2;
        above += added_[node];
        if (end <= middle) {
            last = middle;
            node = 2 * node;
        } else {
            found = std::max(found, max_[2 * node] + above);
            first = middle;
            node = 2 * node + 1;
        }
    }
    return found;
}

namespace {

/// Returns the bytes that are alive at each place of the order.
std::vector<std::int64_t> bytes_at(const TransientUse& use, const std::vector<std::uint32_t>& order) {
    std::vector<std::int64_t> bytes;
    AliveTransients alive(use);
    for (const std::uint32_t pass : order) {
        alive.add(pass, QueueKind::main);
        bytes.push_back(static_cast<std::int64_t>(alive.bytes()));
        alive.end_group(QueueKind::main);
    }
    return bytes;
}

} // namespace

MemoryAhead::MemoryAhead(const TransientUse& use, const std::vector<std::uint32_t>& reference)
    : use_(use), lives_(use.resources()), has_run_(reference.size(), false), bytes_(bytes_at(use, reference)) {
    std::uint32_t total = 0;
    for (std::uint32_t transient = 0; transient < lives_.size(); ++transient) {
        lives_[transient] = {total, total};
        total += use.users(transient);
    }
    users_.resize(total);
    for (std::uint32_t place = 0; place < reference.size(); ++place) {
        place_.resize(std::max<std::size_t>(place_.size(), reference[place] + 1));
        place_[reference[place]] = place;
        for (const std::uint32_t transient : use.of(reference[place])) {
            users_[lives_[transient].last++] = place;
        }
    }
}

bool MemoryAhead::fits(std::uint32_t pass, std::uint64_t max_bytes) const {
    std::int64_t added = 0;
    std::size_t end = 0;
    for (const std::uint32_t transient : use_.of(pass)) {
        const Life& life = lives_[transient];
        if (!life.is_alive) {
            added += static_cast<std::int64_t>(use_.bytes(transient));
            end = std::max<std::size_t>(end, users_[life.first]);
        }
    }
    return added == 0 || bytes_.max(end) <= static_cast<std::int64_t>(max_bytes) - added;
}

void MemoryAhead::run(std::uint32_t pass) {
    const std::uint32_t place = place_[pass];
    has_run_[place] = true;
    bytes_.add(place, place + 1, never);
    for (const std::uint32_t transient : use_.of(pass)) {
        Life& life = lives_[transient];
        const auto bytes = static_cast<std::int64_t>(use_.bytes(transient));
        if (!life.is_alive) {
            bytes_.add(0, users_[life.first], bytes);
            life.is_alive = true;
        }
        const std::uint32_t last = users_[life.last - 1];
        while (life.last > life.first && has_run_[users_[life.last - 1]]) {
            --life.last;
        }
        bytes_.add(life.last > life.first ? users_[life.last - 1] + 1 : 0, last + 1, -bytes);
    }
}

} // namespace weir
