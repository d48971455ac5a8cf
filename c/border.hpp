#pragma once

// The border between C and C++: no exception crosses it, and what C cannot promise is checked here.

#include <cstddef>
#include <cstring>
#include <memory>
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
    weir::Graph graph;
    /// Without a file, messages name no place: not even one within Weir.
    weir::SourceLocation place = {"", 1};
    bool out_of_memory = false;                             ///< a mistake could not be kept
    std::vector<std::unique_ptr<weir::OnlyIf>> scopes = {}; ///< of weir_begin_only_if

    ~weir_graph() {
        while (!scopes.empty()) { // the last one first, and all before the graph
            scopes.pop_back();
        }
    }
};
struct weir_program {
    weir::Program program;
    std::string plan = {}; ///< what weir_program_plan returned last
};

namespace weir::c {

/// Thrown where a call cannot be made as it is.
struct Refused {
    Error error;
};
[[noreturn]] void refuse(std::string why, ErrorCode code = ErrorCode::invalid_argument);

/// Fills `error`, if there is one, from `message` with `function` before it. Allocates nothing.
weir_result report(weir_error* error, ErrorCode code, std::string_view function, std::string_view message,
                   VkResult vulkan = VK_SUCCESS) noexcept;
/// The same from the exception that is being handled.
weir_result report_exception(weir_error* error, std::string_view function) noexcept;

/// Calls `body`, which returns a Result<>.
template <class Body>
weir_result guarded(weir_error* error, std::string_view function, const Body& body) noexcept {
    try {
        const Result<> done = body();
        return done ? WEIR_SUCCESS : report(error, done.error().code, "", done.error().message, done.error().result);
    } catch (...) {
        return report_exception(error, function);
    }
}

/// Keeps the exception that is being handled as the graph's mistake.
void fail_with_exception(weir_graph& graph, std::string_view function) noexcept;

/// Calls `body` with a graph to which it adds; returns what it returns, or zeros.
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

/// Of a pointer that must not be null.
template <class T>
T& needed(T* pointer, const char* name) {
    if (pointer == nullptr) {
        refuse(std::string(name) + " is null");
    }
    return *pointer;
}

/// The same for a pointer to anything.
inline const void* needed(const void* pointer, const char* name) {
    return &needed(static_cast<const std::byte*>(pointer), name);
}

/// A struct whose first member is its size; zeros for null. Members that a later version of the library appends are
/// zero in programs that were compiled before: `oldest` stays the size of the first version then.
template <class Struct>
Struct options_or_zeros(const Struct* given, std::size_t oldest = sizeof(Struct)) {
    Struct out{};
    if (given != nullptr) {
        if (given->size < oldest || given->size > sizeof(Struct)) {
            refuse("a struct has the size " + std::to_string(given->size) + "; its first member has to be " +
                   std::to_string(sizeof(Struct)));
        }
        std::memcpy(&out, given, given->size);
    }
    return out;
}
/// The same for a struct that must not be null.
template <class Struct>
Struct needed_struct(const Struct* given, const char* name, std::size_t oldest = sizeof(Struct)) {
    return options_or_zeros(&needed(given, name), oldest);
}

/// Zero, one or several of `count` items.
template <class T>
const T* items(const T* first, std::size_t count, const char* name) {
    if (first == nullptr && count != 0) {
        refuse(std::string(name) + " is null, but there should be " + std::to_string(count));
    }
    return first;
}

/// Null is the empty text.
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
