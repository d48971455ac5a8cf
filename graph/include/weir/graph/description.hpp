#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <weir/graph/graph.hpp>

namespace weir {

/// What a Graph holds, as plain data: the input of the compiler's stages.
struct GraphDescription {
    enum class Lifetime : std::uint8_t { import, transient, state };

    struct Resource {
        std::string name;
        Lifetime lifetime = Lifetime::transient;
        std::uint64_t bytes = 0;        ///< of an image without a device an estimate: its texels, in whole 64 KiB
        std::uint64_t alignment = 1;    ///< of its place in memory, in bytes: a power of two
        std::optional<ImageInfo> image; ///< none: a buffer
        Access arrives = Access::none;
        bool exported = false;
        Access leaves = Access::none;
    };

    struct Fill {
        std::uint32_t value = 0;
    };
    struct Copy {
        std::uint64_t bytes = 0;
    };
    struct Touch {
        std::uint32_t resource = 0;
        Access access = Access::none;
    };
    struct PassNode {
        std::string name;
        std::variant<Pass, Fill, Copy, HostPass> work;
        /// All that the pass uses, its indirect arguments included: bindings first, in order; for a copy the source,
        /// then the destination.
        std::vector<Touch> touches;
    };
    struct Parameter {
        std::string name;
        std::uint32_t max = 0;
    };
    /// Indirect arguments that a pass of the graph computes from a count, so that equal ones are computed once; only
    /// those whose count no later pass has written.
    struct IndirectArguments {
        std::uint32_t count_buffer = 0, word = 0, max = 0, per_group = 0, at_least = 0;
        BufferId arguments;
    };

    /// What BufferId::graph of its buffers points to. Copies share it, so no other graph can get the address while a
    /// program of this one lives.
    std::shared_ptr<const void> identity = std::make_shared<char>();
    Capabilities capabilities;
    std::vector<Resource> resources;
    std::vector<PassNode> passes;
    std::vector<Parameter> parameters;
    std::vector<IndirectArguments> indirect_arguments;
    std::optional<Error> error;
};

} // namespace weir
