#include "harness/data.hpp"

#include <bit>
#include <random>

namespace weir::bench {

namespace {

/// A program may see a little more than it was asked for: the copy moves whole vectors of four words.
std::uint64_t bytes_for(std::uint32_t n) {
    return (n + 3ULL) / 4 * 16;
}

} // namespace

std::vector<std::uint32_t> Data::words(Input kind, std::uint32_t n) {
    std::mt19937_64 random(static_cast<std::uint64_t>(kind) + 1);
    std::vector<std::uint32_t> words(n);
    for (std::size_t i = 0; i < n; i += 2) {
        const std::uint64_t two = random();
        words[i] = static_cast<std::uint32_t>(two);
        if (i + 1 < n) {
            words[i + 1] = static_cast<std::uint32_t>(two >> 32);
        }
    }
    const auto small = [](std::uint32_t word) {
        return std::bit_cast<std::uint32_t>(static_cast<float>(static_cast<int>(word % 3) - 1));
    };
    for (std::uint32_t i = 0; i < n && kind != Input::words && kind != Input::more_words; ++i) {
        const bool is_factor = kind == Input::affine_maps && i % 2 == 0;
        words[i] = kind == Input::runs_of_8 ? i / 8
                   : is_factor              ? std::bit_cast<std::uint32_t>(words[i] % 2 == 0 ? 1.0F : -1.0F)
                                            : small(words[i]);
    }
    return words;
}

Result<BufferView> Data::grown(Buffer& buffer, std::uint32_t n, bool& replaced) {
    const std::uint64_t bytes = bytes_for(n);
    replaced = buffer.size() < bytes;
    if (replaced) {
        buffer = Buffer(); // never two at once
        auto larger = context_.create_buffer(bytes);
        if (!larger) {
            return tl::unexpected(larger.error());
        }
        buffer = std::move(*larger);
    }
    return BufferView{buffer.handle(), 0, bytes};
}

Result<BufferView> Data::input(Input kind, std::uint32_t n) {
    bool replaced = false;
    Buffer& buffer = inputs_.at(static_cast<std::size_t>(kind));
    auto view = grown(buffer, n, replaced);
    if (view && replaced) {
        auto all = words(kind, static_cast<std::uint32_t>(view->size / 4));
        if (auto done = context_.upload(*view, all); !done) {
            buffer = Buffer();
            return tl::unexpected(done.error());
        }
    }
    return view;
}

Result<BufferView> Data::output(std::uint32_t index, std::uint32_t n) {
    bool replaced = false;
    return grown(outputs_.at(index), n, replaced);
}

Result<> Data::poison(std::uint32_t index, std::uint32_t n) {
    Graph graph(context_);
    auto buffer = graph.import_buffer<std::uint32_t>("output", n);
    graph.add_fill("poison", buffer, poison_word);
    return make_program(context_, graph, {{buffer, output(index, n)}}).and_then([](Program program) -> Result<> {
        if (auto done = program.run(); !done) {
            return tl::unexpected(done.error());
        }
        return {};
    });
}

Result<Program> make_program(const Context& context, const Graph& graph,
                             std::initializer_list<std::pair<BufferId, Result<BufferView>>> imports) {
    for (const auto& [buffer, view] : imports) {
        if (!view) {
            return tl::unexpected(view.error());
        }
    }
    auto program = compile(context, graph);
    if (!program) {
        return program;
    }
    for (const auto& [buffer, view] : imports) {
        if (auto bound = program->bind(buffer, *view); !bound) {
            return tl::unexpected(bound.error());
        }
    }
    return program;
}

} // namespace weir::bench
