#include "word_count/counting.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <random>
#include <span>
#include <utility>

#include "common/progress.hpp"
#include "common/propagate.hpp"
#include "word_count/text.hpp"
#include "word_count/word_graph.hpp"

namespace samples {

namespace {

using weir::Result;
using Buffer = weir::BufferRef<std::uint32_t>;

constexpr std::uint32_t max_attempts = 8;

Fingerprints random_fingerprints(std::mt19937_64& random) {
    std::uniform_int_distribution<std::uint32_t> place(1U << 16, Fingerprints::modulus - 1);
    return {{place(random), place(random)}};
}

/// The program that counts the words of one text, with its buffers.
class Counter {
public:
    static Result<Counter> create(const weir::Context& gpu, const std::string& text, std::uint32_t bits) {
        weir::Graph graph(gpu);
        const WordGraph refs = add_word_count(graph, static_cast<std::uint32_t>(text.size()), bits);
        auto program = [&] {
            Progress progress("compiling pipelines");
            return weir::compile(gpu, graph);
        }();
        auto bytes = gpu.create_buffer(text.size());
        auto fingerprints = gpu.create_buffer(sizeof(Fingerprints));
        for (const weir::Error* error : {program ? nullptr : &program.error(), bytes ? nullptr : &bytes.error(),
                                         fingerprints ? nullptr : &fingerprints.error()}) {
            if (error != nullptr) {
                return tl::unexpected(*error);
            }
        }
        Counter counter(gpu, refs, std::move(*program), std::move(*bytes), std::move(*fingerprints));
        Progress progress("upload");
        return gpu.upload(counter.text_, std::as_bytes(std::span(text)))
            .and_then([&] { return counter.program_.bind(refs.text, counter.text_); })
            .and_then([&] { return counter.program_.bind(refs.fingerprints, counter.fingerprints_); })
            .map([&] { return std::move(counter); });
    }

    /// Runs the program and returns the GPU time.
    Result<std::optional<double>> run(const Fingerprints& fingerprints) {
        return gpu_->upload(fingerprints_, std::as_bytes(std::span(&fingerprints, 1)))
            .and_then([&] { return program_.run(); })
            .map([](const weir::RunReport& report) { return report.gpu_ms; });
    }

    Result<std::vector<std::uint32_t>> first(std::uint32_t count, const Buffer& buffer) const {
        return gpu_->download<std::uint32_t>(program_.view(buffer), count);
    }
    Result<std::uint32_t> word(const Buffer& buffer) const {
        return first(1, buffer).map([](const auto& words) { return words.front(); });
    }

    [[nodiscard]] const WordGraph& refs() const { return refs_; }
    Result<PlanTexts> plan(const PlanOptions& options) { return plan_texts(program_, options, {.overview = true}); }

private:
    Counter(const weir::Context& gpu, const WordGraph& refs, weir::Program program, weir::Buffer text,
            weir::Buffer fingerprints)
        : gpu_(&gpu), refs_(refs), program_(std::move(program)), text_(std::move(text)),
          fingerprints_(std::move(fingerprints)) {}

    const weir::Context* gpu_;
    WordGraph refs_;
    weir::Program program_;
    weir::Buffer text_, fingerprints_;
};

/// Downloads at least the `top` most frequent words. Words of equal frequency are in text order.
Result<std::vector<Word>> download_list(const Counter& counter, std::uint32_t different, std::uint32_t top) {
    Progress progress("download");
    const auto counts = counter.first(different, counter.refs().counts);
    SAMPLES_PROPAGATE(counts);
    // All words as frequent as the last one are candidates.
    const auto end = top >= different
                         ? counts->end()
                         : std::upper_bound(counts->begin(), counts->end(), (*counts)[top - 1], std::greater<>());
    const auto listed = static_cast<std::uint32_t>(end - counts->begin());
    const auto starts = counter.first(listed, counter.refs().starts);
    const auto lengths = counter.first(listed, counter.refs().lengths);
    if (!starts || !lengths) {
        return tl::unexpected(starts ? lengths.error() : starts.error());
    }
    std::vector<Word> list(listed);
    for (std::uint32_t i = 0; i < listed; ++i) {
        list[i] = {(*counts)[i], (*starts)[i], (*lengths)[i]};
    }
    return list;
}

/// Sorts words of equal count by byte order and keeps the first `top` words.
void order(std::vector<Word>& list, std::size_t top, const std::string& text) {
    Progress progress("order");
    const auto view = [&](const Word& word) { return std::string_view(text).substr(word.start, word.length); };
    const auto last = list.begin() + static_cast<std::ptrdiff_t>(std::min(top, list.size()));
    for (auto first = list.begin(); first < last;) {
        const auto end = std::find_if(first, list.end(), [&](const Word& word) { return word.count != first->count; });
        std::partial_sort(first, std::min(end, last), end,
                          [&](const Word& a, const Word& b) { return comes_before(view(a), view(b)); });
        progress.show(static_cast<double>(end - list.begin()) / static_cast<double>(list.size()));
        first = end;
    }
    list.erase(last, list.end());
}

} // namespace

Result<Counted> count_words(const weir::Context& gpu, const std::string& text, const Options& options) {
    Counted counted;
    if (text.empty()) {
        return counted;
    }
    auto counter = Counter::create(gpu, text, options.bits);
    SAMPLES_PROPAGATE(counter);
    std::optional<Progress> progress(std::in_place, "count");
    std::mt19937_64 random;
    Result<std::uint32_t> collisions = 1;
    while (collisions && *collisions != 0 && counted.attempts < max_attempts) {
        const auto ran = counter->run(random_fingerprints(random));
        SAMPLES_PROPAGATE(ran);
        counted.gpu_ms = *ran;
        ++counted.attempts;
        collisions = counter->word(counter->refs().collisions);
    }
    const auto words = counter->word(counter->refs().words);
    const auto different = counter->word(counter->refs().different);
    for (const Result<std::uint32_t>* number : {&std::as_const(collisions), &words, &different}) {
        if (!*number) {
            return tl::unexpected(number->error());
        }
    }
    if (*collisions != 0) {
        return tl::unexpected(
            weir::Error{weir::ErrorCode::vulkan, std::string("different words have equal fingerprints of ") +
                                                     std::to_string(options.bits) + " bits in each of " +
                                                     std::to_string(max_attempts) + " attempts"});
    }
    auto plan = counter->plan(options);
    SAMPLES_PROPAGATE(plan);
    counted.plan = std::move(*plan);
    counted.words = *words;
    counted.different = *different;
    const std::uint32_t top = options.top.value_or(~0U);
    progress.reset();
    auto list = download_list(*counter, *different, top);
    SAMPLES_PROPAGATE(list);
    counted.list = std::move(*list);
    order(counted.list, top, text);
    return counted;
}

} // namespace samples
