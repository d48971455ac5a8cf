#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "tests/graph/executions.hpp"
#include "tests/graph/graph_choices.hpp"
#include "tests/graph/subresources.hpp"

namespace weir::tests {

/// Records which resources the passes of a random graph have written.
class GraphContents : protected GraphChoices {
protected:
    using GraphChoices::GraphChoices;

    /// Returns true if the whole resource has been written, by passes that can run with those of the open scopes.
    bool readable(ResourceId resource) const {
        return is_written_by(resource, [](const Writer& /*writer*/) { return true; });
    }
    /// A quarter of a buffer, or a mip of a layer of an image: index of the resource, mip, layer.
    using Single = std::array<std::uint32_t, 3>;
    /// Calls `visit` with each Single of a resource, or of a region of an image.
    template <class F>
    void each_single(ResourceId resource, const std::optional<ImageRegion>& region, F visit) const {
        const auto& node = graph_.description().resources[resource.index];
        const std::uint32_t whole = whole_of(graph_.description(), resource.index);
        if (!node.image) {
            const std::uint64_t quarter = graph_.description().resources[whole].bytes / quarters;
            for (std::uint32_t i = 0; i < quarters; ++i) {
                const bool is_in = node.offset <= i * quarter && (i + 1) * quarter <= node.offset + node.bytes;
                if (is_in) {
                    visit(Single{whole, 0, i});
                }
            }
            return;
        }
        const ImagePart of = whole != resource.index ? node.part : ImagePart{};
        const std::uint32_t mips = node.image ? node.image->mips : 1, layers = node.image ? node.image->layers : 1;
        for (std::uint32_t mip = 0; mip < mips; ++mip) {
            for (std::uint32_t layer = 0; layer < layers; ++layer) {
                const bool is_in =
                    !region || (mip == region->mip && layer >= region->layer && layer < region->layer + region->layers);
                if (is_in) {
                    visit(Single{whole, of.mip + mip, of.layer + layer});
                }
            }
        }
    }
    void set_written(ResourceId resource, const std::optional<ImageRegion>& region = {}) {
        each_single(resource, region, [&](const Single& single) {
            written_[single].push_back({open_values(), false});
        });
    }
    void set_written_concurrently(ResourceId resource) {
        each_single(resource, {}, [&](const Single& single) { written_[single].push_back({open_values(), true}); });
    }
    /// Returns true if concurrent passes may read a readable resource: not all of its writers are concurrent with them.
    bool readable_concurrently(ResourceId resource) const {
        return !readable(resource) ||
               is_written_by(resource, [](const Writer& writer) { return !writer.is_concurrent; });
    }
    /// Returns true if `resource` is one of `resources` or overlaps one of them.
    template <class Resources>
    bool meets(const Resources& resources, ResourceId resource) const {
        return std::any_of(resources.begin(), resources.end(), [&](std::uint32_t other) {
            return have_common(graph_.description(), other, resource.index);
        });
    }

    static constexpr std::uint32_t quarters = 4; ///< equal pieces of a buffer; parts consist of them

private:
    struct Writer {
        SwitchValues values; ///< with which it runs
        bool is_concurrent = false;
    };
    [[nodiscard]] SwitchValues open_values() const {
        std::vector<GraphDescription::Condition> conditions;
        for (const auto& open : graph_.description().open) {
            conditions.push_back(open.condition);
        }
        return values_of(conditions);
    }
    template <class F>
    bool is_written_by(ResourceId resource, const F& is_fit) const {
        bool all = true;
        const SwitchValues values = open_values();
        each_single(resource, {}, [&](const Single& single) {
            const auto found = written_.find(single);
            all = all && found != written_.end() &&
                  std::any_of(found->second.begin(), found->second.end(), [&](const Writer& writer) {
                      return is_fit(writer) && !contradict(writer.values, values);
                  });
        });
        return all;
    }

    std::map<Single, std::vector<Writer>> written_; ///< imports, states, written transients
};

} // namespace weir::tests
