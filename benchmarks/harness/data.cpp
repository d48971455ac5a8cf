#include "harness/data.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <random>

#include "common/propagate.hpp"

namespace weir::bench {

namespace {

/// Returns the size of a buffer of n words, rounded up to whole vectors of four words, which the copy moves.
std::uint64_t bytes_for(std::uint32_t n) {
    return (n + 3ULL) / 4 * 16;
}

/// Returns word i of an input of n words, computed from a random word.
std::uint32_t word_of(Input kind, std::uint32_t i, std::uint32_t n, std::uint32_t random) {
    const float small = static_cast<float>(static_cast<int>(random % 3) - 1);
    const float unit = static_cast<float>(random >> 8) * 0x1p-24F;
    const auto offset = [&](std::uint32_t length) { return i == 0 ? 0 : i * length + random % (length + 1); };
    switch (kind) {
    case Input::constant: return 0x01020304;
    case Input::mostly_equal: return random % 10 != 0 ? 0x01020304 : random / 10 * 0x9E3779B9;
    case Input::ascending:
    case Input::more_ascending: return static_cast<std::uint32_t>(((std::uint64_t{i} << 32) + random) / n);
    case Input::one_of_two:
    case Input::other_of_two: return 2 * i + random % 2;
    case Input::runs_of_8: return i / 8;
    case Input::offsets_64: return offset(64);
    case Input::offsets_1024: return offset(1024);
    case Input::small_floats: return std::bit_cast<std::uint32_t>(small);
    case Input::unit_floats: return std::bit_cast<std::uint32_t>(unit);
    case Input::tile_depths: return i % 2 != 0 ? random % 8160 : std::bit_cast<std::uint32_t>(unit);
    case Input::affine_maps: return std::bit_cast<std::uint32_t>(i % 2 != 0 ? small : random % 2 == 0 ? 1.0F : -1.0F);
    default: return random;
    }
}

bool depends_on_size(Input kind) {
    return kind == Input::ascending || kind == Input::more_ascending;
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
    if (kind == Input::words || kind == Input::more_words) {
        return words;
    }
    if (kind == Input::low_entropy) {
        for (const Input other : {Input::words, Input::more_words}) {
            const auto others = Data::words(other, n);
            std::ranges::transform(words, others, words.begin(), std::bit_and<>());
        }
        return words;
    }
    for (std::uint32_t i = 0; i < n; ++i) {
        words[i] = word_of(kind, i, n, words[i]);
    }
    return words;
}

Result<BufferView> Data::grown(Buffer& buffer, std::uint32_t n, bool& replaced) {
    const std::uint64_t bytes = bytes_for(n);
    replaced = buffer.size() < bytes;
    if (replaced) {
        buffer = Buffer(); // freed first: both may not fit the device
        auto larger = context_.create_buffer(bytes);
        SAMPLES_PROPAGATE(larger);
        buffer = std::move(*larger);
    }
    return BufferView{buffer.handle(), 0, bytes};
}

Result<BufferView> Data::input(Input kind, std::uint32_t n) {
    bool replaced = false;
    auto& [buffer, size] = inputs_.at(static_cast<std::size_t>(kind));
    auto view = grown(buffer, n, replaced);
    if (view && (replaced || (depends_on_size(kind) && size != n))) {
        size = n;
        auto all = words(kind, depends_on_size(kind) ? n : static_cast<std::uint32_t>(view->size / 4));
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
        SAMPLES_PROPAGATE(program.run());
        return {};
    });
}

Result<Program> make_program(const Context& context, const Graph& graph,
                             std::initializer_list<std::pair<BufferId, Result<BufferView>>> imports) {
    for (const auto& [buffer, view] : imports) {
        SAMPLES_PROPAGATE(view);
    }
    auto program = compile(context, graph);
    SAMPLES_PROPAGATE(program);
    for (const auto& [buffer, view] : imports) {
        SAMPLES_PROPAGATE(program->bind(buffer, *view));
    }
    return program;
}

} // namespace weir::bench
