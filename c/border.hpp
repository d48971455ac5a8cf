#pragma once

// The border between C and C++. No exception crosses it. Arguments that C's types cannot guarantee are checked here.

#include <cstddef>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <weir.h>
#include <weir/weir.hpp>

struct weir_context {
    weir::Context context;
};
struct weir_buffer {
    weir::Buffer buffer;
};
struct weir_graph {
    explicit weir_graph(weir::Graph&& made) : own(std::move(made)), graph(*own) {}
    /// Refers to a graph that exists longer.
    explicit weir_graph(weir::Graph& of) : graph(of) {}
    weir_graph(const weir_graph&) = delete;
    weir_graph& operator=(const weir_graph&) = delete;

    std::optional<weir::Graph> own;
    weir::Graph& graph;
    /// Source location for messages. Without a file, messages name no location, not even one within Weir.
    weir::SourceLocation place = {"", 1};
    bool out_of_memory = false;                             ///< no memory was left to keep a mistake
    std::vector<std::unique_ptr<weir::OnlyIf>> scopes = {}; ///< open scopes of weir_begin_only_if

    ~weir_graph() {
        while (!scopes.empty()) { // innermost scope first, and before the graph
            scopes.pop_back();
        }
    }
};
struct weir_program {
    weir::Program program;
    std::string plan = {};     ///< text of the last weir_program_plan
    std::string commands = {}; ///< text of the last weir_program_commands_json
};

namespace weir::c {

/// Exception for invalid arguments of a call.
struct Refused {
    Error error;
};
[[noreturn]] void refuse(std::string why, ErrorCode code = ErrorCode::invalid_argument);

/// Fills `error`, if not null, with `function` and `message`. Returns the result for `code`. Does not allocate.
weir_result report(weir_error* error, ErrorCode code, std::string_view function, std::string_view message,
                   VkResult vulkan = VK_SUCCESS) noexcept;
/// Fills `error`, if not null, from the exception that is being handled. Returns the result.
weir_result report_exception(weir_error* error, std::string_view function) noexcept;

/// Calls `body`, which returns a Result<>. Reports its error, or the exception it throws, in `error`.
template <class Body>
weir_result guarded(weir_error* error, std::string_view function, const Body& body) noexcept {
    try {
        const Result<> done = body();
        return done ? WEIR_SUCCESS : report(error, done.error().code, "", done.error().message, done.error().result);
    } catch (...) {
        return report_exception(error, function);
    }
}

/// Records the exception that is being handled as a mistake of the graph.
void fail_with_exception(weir_graph& graph, std::string_view function) noexcept;

/// Calls `body` to add to the graph. Returns its result, or zeros if `graph` is null or `body` throws. The exception
/// becomes a mistake of the graph.
template <class Body>
auto add(weir_graph* graph, std::string_view function, const Body& body) noexcept
    -> std::invoke_result_t<const Body&, Graph&> {
    using Returned = std::invoke_result_t<const Body&, Graph&>;
    if (graph != nullptr) {
        const GraphCall call(graph->graph, graph->place);
        try {
            return body(graph->graph);
        } catch (...) {
            fail_with_exception(*graph, function);
        }
    }
    return Returned();
}

/// Returns the object of a pointer. Refuses null.
template <class T>
T& needed(T* pointer, const char* name) {
    if (pointer == nullptr) {
        refuse(std::string(name) + " is null");
    }
    return *pointer;
}

/// Returns the pointer. Refuses null.
inline const void* needed(const void* pointer, const char* name) {
    return &needed(static_cast<const std::byte*>(pointer), name);
}

/// Returns a copy of a struct whose first member is its size; zeros for null. Members appended in later versions of the
/// library are zero for applications compiled before. `oldest` is the size of the struct in its first version.
template <class Struct>
Struct options_or_zeros(const Struct* given, std::size_t oldest = sizeof(Struct)) {
    Struct out{};
    if (given != nullptr) {
        if (given->size < oldest || given->size > sizeof(Struct)) {
            refuse("a struct has size " + std::to_string(given->size) + "; its first member must be " +
                   std::to_string(sizeof(Struct)));
        }
        std::memcpy(&out, given, given->size);
    }
    return out;
}
/// Returns a copy of a struct whose first member is its size. Refuses null.
template <class Struct>
Struct needed_struct(const Struct* given, const char* name, std::size_t oldest = sizeof(Struct)) {
    return options_or_zeros(&needed(given, name), oldest);
}

/// Returns `first`. Refuses null if `count` is not 0.
template <class T>
const T* items(const T* first, std::size_t count, const char* name) {
    if (first == nullptr && count != 0) {
        refuse(std::string(name) + " is null, but its count is " + std::to_string(count));
    }
    return first;
}

/// Returns the text; empty for null.
inline std::string text(const char* given) {
    return given == nullptr ? "" : given;
}

template <std::size_t room>
void copy_text(char (&out)[room], std::string_view text) {
    const std::size_t size = text.size() < room ? text.size() : room - 1;
    std::memcpy(out, text.data(), size);
    out[size] = '\0';
}

} // namespace weir::c
