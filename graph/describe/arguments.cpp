#include <weir/graph/arguments.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <utility>

#include <weir/graph/description.hpp>

#include "engine/base/strings.hpp"
#include "graph/describe/dispatch.hpp"
#include "weir_shaders.hpp"

namespace weir {

/// Gives a graph the spreads of dispatches whose arguments a pass has written, for the passes that dispatch with them.
struct WrittenArguments {
    using Known = std::vector<GraphDescription::SpreadArguments>;

    /// Returns the known spreads for words of `output` outside of [begin, end), which further passes are about to
    /// write.
    static Known outside(const Graph& graph, BufferId output, std::uint64_t begin, std::uint64_t end) {
        Known kept;
        for (const auto& known : graph.description().spread_arguments) {
            if (known.arguments == output && (known.word + 3ULL <= begin || known.word >= end)) {
                kept.push_back(known);
            }
        }
        return kept;
    }
    static void add(Graph& graph, const Known& written) {
        auto& known = graph.description_->spread_arguments;
        known.insert(known.end(), written.begin(), written.end());
    }
};

namespace {

/// Limits of shaders/graph/command_arguments.comp: buffers with counts, and words of the code that it executes.
constexpr std::size_t max_sources = 3, code_words = 29;
constexpr std::uint32_t is_dispatch = 0x80000000U;

std::uint32_t words_of(const IndirectCommand& command) {
    constexpr std::array<std::uint32_t, 4> words{3, 4, 5, 3};
    return words.at(command.index());
}

/// Returns the words of a command that is not a dispatch.
std::vector<Argument> arguments_of(const IndirectCommand& command) {
    if (const auto* draw = std::get_if<DrawArguments>(&command)) {
        return {draw->vertices, draw->instances, draw->first_vertex, draw->first_instance};
    }
    if (const auto* draw = std::get_if<DrawIndexedArguments>(&command)) {
        return {draw->indices, draw->instances, draw->first_index, std::bit_cast<std::uint32_t>(draw->vertex_offset),
                draw->first_instance};
    }
    const auto& draw = std::get<DrawMeshTasksArguments>(command);
    return {draw.x, draw.y, draw.z};
}

/// The arguments that one pass writes, as code for the kernel.
struct Code {
    std::uint32_t commands = 0, words = 0; ///< number of commands, and of the words that they have
    std::vector<PushWord> code;
    std::vector<BufferId> sources;

    /// Adds a count in the encoding of the kernel: its place and its maximum. Place 0: the host knows the count.
    void add(const Count& count) {
        std::uint32_t place = 0;
        if (count.kind == Count::Kind::gpu) {
            auto known = std::find(sources.begin(), sources.end(), count.buffer);
            if (known == sources.end()) {
                known = sources.insert(known, count.buffer);
            }
            place = static_cast<std::uint32_t>(known - sources.begin() + 1) << 30U | count.word;
            code.insert(code.end(), {place, count.max});
            return;
        }
        code.insert(code.end(), {place, count});
    }

    void add(const IndirectCommand& command, std::uint32_t max_groups_x) {
        const std::size_t head = code.size();
        std::uint32_t computed = 0;
        code.emplace_back(words_of(command));
        const auto* dispatch = std::get_if<Dispatch>(&command);
        if (dispatch != nullptr && dispatch->kind == Dispatch::Kind::elements &&
            dispatch->count.kind != Count::Kind::constant) {
            code[head] = is_dispatch;
            add(dispatch->count);
            code.insert(code.end(), {dispatch->per_group, dispatch->at_least});
        } else if (dispatch != nullptr) {
            const bool is_counted = dispatch->kind == Dispatch::Kind::elements;
            const GroupCount groups = is_counted ? group_count(dispatch->count.max, *dispatch, max_groups_x)
                                                 : GroupCount{dispatch->x, dispatch->y, dispatch->z};
            code.insert(code.end(), {groups.x, groups.y, groups.z});
        } else {
            std::uint32_t bit = 1U << 8U;
            for (const Argument& argument : arguments_of(command)) {
                const std::uint64_t max_value = std::uint64_t{argument.count.max} * argument.factor;
                const bool is_plain = argument.factor == 1 && argument.per == 1;
                if (argument.count.kind == Count::Kind::constant) {
                    code.emplace_back(static_cast<std::uint32_t>((max_value + argument.per - 1) / argument.per));
                } else if (argument.count.kind == Count::Kind::parameter && is_plain) {
                    code.emplace_back(argument.count);
                } else {
                    computed |= bit;
                    add(argument.count);
                    code.insert(code.end(), {argument.factor, argument.per});
                }
                bit <<= 1U;
            }
            code[head] = words_of(command) | computed;
        }
        ++commands;
        words += words_of(command);
    }

    [[nodiscard]] bool fits() const { return code.size() <= code_words && sources.size() <= max_sources; }
};

void add_arguments_pass(Graph& graph, const Code& made, BufferId output, std::uint32_t word, const std::string& name) {
    const BufferId stand_in = // each binding needs a buffer
        made.sources.empty() ? BufferId(graph.state_buffer<std::uint32_t>("no count", 1)) : made.sources.front();
    Pass pass;
    pass.name = name;
    pass.shader = ShaderSource::packed(shaders::command_arguments, "command_arguments");
    pass.bindings = {write(output)};
    for (std::size_t i = 0; i < max_sources; ++i) {
        pass.bindings.push_back(read(i < made.sources.size() ? made.sources[i] : stand_in));
    }
    pass.push = {made.commands, word, std::max(1U, graph.capabilities().max_workgroup_count_x)};
    pass.push.insert(pass.push.end(), made.code.begin(), made.code.end());
    pass.push.resize(3 + code_words);
    pass.dispatch = Dispatch::groups(1);
    graph.add_pass(std::move(pass));
}

/// Returns the mistake in a count, if any.
std::optional<Error> mistake_in(const Graph& graph, const Count& count, const WriteArgumentsOptions& options) {
    const GraphDescription& description = graph.description();
    if (count.kind > Count::Kind::gpu) {
        return Error{ErrorCode::invalid_graph, concat("count kind ", static_cast<int>(count.kind), " does not exist")};
    }
    if (count.kind != Count::Kind::gpu || count.buffer.graph != description.identity.get()) {
        return {}; // `add_pass` checks the handle
    }
    const auto& buffer = description.resources[count.buffer.index];
    if (count.buffer == options.output.id) {
        return Error{
            ErrorCode::invalid_argument,
            concat("the output '", buffer.name, "' must not hold a count from which the arguments are computed")};
    }
    if ((count.word + 1ULL) * 4 > buffer.bytes) {
        return Error{ErrorCode::invalid_graph, concat("the count is word ", count.word, " of buffer '", buffer.name,
                                                      "', which has ", buffer.bytes / 4, " words")};
    }
    return {};
}

std::optional<Error> mistake_in(const Graph& graph, const Dispatch& dispatch, const WriteArgumentsOptions& options) {
    if (dispatch.kind == Dispatch::Kind::none) {
        return Error{ErrorCode::invalid_argument, "the dispatch is not set; set it, for example to "
                                                  "Dispatch::groups(1)"};
    }
    if (dispatch.kind >= Dispatch::Kind::indirect) {
        return Error{ErrorCode::invalid_argument, "an indirect dispatch is not supported"};
    }
    if (dispatch.kind == Dispatch::Kind::elements) {
        if (dispatch.per_group == 0) {
            return Error{ErrorCode::invalid_argument, "per_group of the dispatch must be at least 1"};
        }
        if (auto mistake = mistake_in(graph, dispatch.count, options)) {
            return mistake;
        }
    }
    const auto checked = check_groups(dispatch, graph.capabilities());
    return checked ? std::nullopt : std::optional(checked.error());
}

std::optional<Error> mistake_in(const Graph& graph, const IndirectCommand& command,
                                const WriteArgumentsOptions& options) {
    if (const auto* dispatch = std::get_if<Dispatch>(&command)) {
        return mistake_in(graph, *dispatch, options);
    }
    for (const Argument& argument : arguments_of(command)) {
        if (argument.per == 0) {
            return Error{ErrorCode::invalid_argument, "Argument::per must be at least 1"};
        }
        if (std::uint64_t{argument.count.max} * argument.factor > ~0U) {
            return Error{ErrorCode::limit_exceeded, concat("an argument of up to ", argument.count.max, " * ",
                                                           argument.factor, " exceeds 32 bits")};
        }
        if (auto mistake = mistake_in(graph, argument.count, options)) {
            return mistake;
        }
    }
    Code alone;
    alone.add(command, 1);
    if (alone.sources.size() > max_sources) {
        return Error{ErrorCode::limit_exceeded, concat("its counts are in ", alone.sources.size(), " buffers; at most ",
                                                       max_sources, " are supported")};
    }
    return {};
}

} // namespace

BufferRef<std::uint32_t> write_arguments(const GraphCall& graph, const std::vector<IndirectCommand>& commands,
                                         const WriteArgumentsOptions& options) {
    BufferRef<std::uint32_t> output = options.output;
    const auto refuse = [&](const Error& error) {
        graph->fail({error.code, concat("pass '", options.name, "' ", error.message)});
        return output;
    };
    if (commands.empty()) {
        return refuse({ErrorCode::invalid_argument, "writes arguments of 0 commands; at least 1 is required"});
    }
    std::uint64_t end = options.word;
    for (std::size_t i = 0; i < commands.size(); ++i) {
        if (const auto mistake = mistake_in(*graph.operator->(), commands[i], options)) {
            return refuse({mistake->code, concat("writes arguments of command ", i, ": ", mistake->message)});
        }
        end += words_of(commands[i]);
    }
    if (!output.id.valid()) {
        if (end > ~0U) {
            return refuse(
                {ErrorCode::limit_exceeded, concat("writes up to word ", end, "; a buffer has less than 2^32 words")});
        }
        output = graph->transient_buffer<std::uint32_t>(options.name, static_cast<std::uint32_t>(end));
    } else if (end > output.capacity) {
        return refuse({ErrorCode::invalid_argument, concat("writes words ", options.word, " to ", end - 1,
                                                           " of its output, which has ", output.capacity, " words")});
    }
    const std::uint32_t max_groups_x = std::max(1U, graph->capabilities().max_workgroup_count_x);
    std::uint32_t word = options.word, at = word;
    auto written = WrittenArguments::outside(*graph.operator->(), output, word, end);
    Code made;
    for (const IndirectCommand& command : commands) {
        if (const auto* dispatch = std::get_if<Dispatch>(&command);
            dispatch != nullptr && dispatch->kind == Dispatch::Kind::elements) {
            const GroupCount max = max_groups(*dispatch, graph->capabilities());
            written.push_back({output, at, {max.x, max.y}});
        }
        at += words_of(command);
        Code longer = made;
        longer.add(command, max_groups_x);
        if (!longer.fits()) {
            add_arguments_pass(graph, made, output, word, options.name);
            word += made.words;
            longer = {};
            longer.add(command, max_groups_x);
        }
        made = std::move(longer);
    }
    add_arguments_pass(graph, made, output, word, options.name);
    WrittenArguments::add(graph, written);
    return output;
}

} // namespace weir
