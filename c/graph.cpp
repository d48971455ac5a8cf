#include <vector>

#include "c/convert.hpp"

using namespace weir::c;
using weir::Graph;

namespace {

weir::ShaderSource shader_of(const weir_pass& pass, const std::string& name) {
    if ((pass.spirv != nullptr) == (pass.glsl != nullptr)) {
        refuse("pass '" + name + "' must have either SPIR-V or GLSL");
    }
    if (pass.glsl != nullptr) {
        return weir::ShaderSource::glsl(pass.glsl, name);
    }
    if (pass.spirv_bytes == 0 || pass.spirv_bytes % 4 != 0) {
        refuse("pass '" + name + "' has " + std::to_string(pass.spirv_bytes) +
               " bytes of SPIR-V; the number must be a positive multiple of 4");
    }
    std::vector<std::uint32_t> words(pass.spirv_bytes / 4);
    std::memcpy(words.data(), pass.spirv, pass.spirv_bytes);
    return weir::ShaderSource::spirv(std::move(words), name);
}

weir::PushWord push_word(const weir_count& count) {
    return count.kind == WEIR_COUNT_CONSTANT ? weir::PushWord(count.max) : weir::PushWord(count_of(count));
}

/// Calls `body` to add a buffer. Refuses types that buffers cannot have.
template <class Body>
weir_buffer_ref add_buffer(weir_graph* graph, const char* function, weir_type type, const Body& body) {
    return add(graph, function, [&](Graph& to) {
        using All = Joined<Keys, Structs>::type;
        // `body` depends on the size of the type only, so vectors and structs need no types of their own.
        return with_words(All(), "a buffer", type, [&]<class T>(std::type_identity<T>) {
            return to_c(body(to, std::type_identity<T>()), type);
        });
    });
}

} // namespace

weir_result weir_graph_create(weir_context* context, weir_graph** graph, weir_error* error) {
    return guarded(error, __func__, [&]() -> weir::Result<> {
        needed(graph, "the output pointer for the graph");
        *graph = new weir_graph(Graph(needed(context, "the context").context));
        return {};
    });
}

void weir_graph_destroy(weir_graph* graph) {
    delete graph;
}

weir_result weir_graph_mistake(const weir_graph* graph, weir_error* error) {
    return guarded(error, __func__, [&]() -> weir::Result<> {
        const weir_graph& of = needed(graph, "the graph");
        if (of.graph.error()) {
            return tl::unexpected(*of.graph.error());
        }
        if (of.out_of_memory) {
            refuse("out of host memory for the graph", weir::ErrorCode::out_of_memory);
        }
        return {};
    });
}

void weir_graph_at(weir_graph* graph, const char* file, std::uint32_t line) {
    if (graph != nullptr) {
        const bool known = file != nullptr && line != 0;
        graph->place = known ? weir::SourceLocation{file, line} : weir::SourceLocation{"", 1};
    }
}

weir_count weir_constant(std::uint32_t value) {
    return to_c(weir::Count(value));
}

weir_count weir_parameter(weir_graph* graph, const char* name, std::uint32_t max) {
    return add(graph, __func__, [&](Graph& to) { return to_c(to.parameter(text(name), max)); });
}

weir_count weir_count_in(weir_graph* graph, weir_buffer_ref buffer, std::uint32_t word, std::uint32_t max) {
    return add(graph, __func__, [&](Graph& to) {
        return to_c(to.count_in(input<std::uint32_t>(to, buffer, "the buffer of the count"), word, max));
    });
}

weir_buffer_ref weir_with_count(weir_buffer_ref buffer, weir_count count) {
    buffer.count = count;
    return buffer;
}

weir_buffer_ref weir_as(weir_buffer_ref buffer, weir_type type) {
    if (weir_type_size(buffer.type) != weir_type_size(type)) {
        return {};
    }
    buffer.type = type;
    return buffer;
}

weir_buffer_ref weir_import(weir_graph* graph, const char* name, weir_type type, std::uint32_t capacity,
                            weir_access arrives) {
    return add_buffer(graph, __func__, type, [&]<class T>(Graph& to, std::type_identity<T>) {
        return to.import_buffer<T>(text(name), capacity, {}, access_of(arrives));
    });
}

void weir_allow_smaller(weir_graph* graph, weir_buffer_ref import) {
    add(graph, __func__, [&](Graph& to) {
        check(to, import, "the buffer");
        to.allow_smaller(id_of(import));
    });
}

weir_buffer_ref weir_transient(weir_graph* graph, const char* name, weir_type type, std::uint32_t capacity) {
    return add_buffer(graph, __func__, type, [&]<class T>(Graph& to, std::type_identity<T>) {
        return to.transient_buffer<T>(text(name), capacity);
    });
}

weir_buffer_ref weir_state(weir_graph* graph, const char* name, weir_type type, std::uint32_t capacity) {
    return add_buffer(graph, __func__, type, [&]<class T>(Graph& to, std::type_identity<T>) {
        return to.state_buffer<T>(text(name), capacity);
    });
}

void weir_export(weir_graph* graph, weir_buffer_ref buffer, weir_access leaves) {
    add(graph, __func__, [&](Graph& to) {
        check(to, buffer, "the buffer");
        to.export_buffer(id_of(buffer), access_of(leaves));
    });
}

void weir_export_per_frame(weir_graph* graph, weir_buffer_ref buffer, weir_access leaves) {
    add(graph, __func__, [&](Graph& to) {
        check(to, buffer, "the buffer");
        to.export_buffer(id_of(buffer), access_of(leaves), {.per_frame = true});
    });
}

void weir_begin_only_if(weir_graph* graph, weir_count count) {
    add(graph, __func__, [&](Graph& to) {
        graph->scopes.reserve(graph->scopes.size() + 1);
        graph->scopes.push_back(std::unique_ptr<weir::OnlyIf>(new weir::OnlyIf(to.only_if(count_of(count)))));
    });
}

void weir_end_only_if(weir_graph* graph) {
    add(graph, __func__, [&](Graph&) {
        if (graph->scopes.empty()) {
            refuse("no only_if scope is open");
        }
        graph->scopes.pop_back();
    });
}

void weir_add_pass(weir_graph* graph, const weir_pass* pass) {
    add(graph, __func__, [&](Graph& to) {
        const weir_pass given = needed_struct(pass, "the pass");
        weir::Pass out;
        out.name = text(given.name);
        out.shader = shader_of(given, out.name);
        items(given.bindings, given.binding_count, "the list of bindings");
        for (std::uint32_t i = 0; i < given.binding_count; ++i) {
            check(to, given.bindings[i].buffer, "binding " + std::to_string(i) + " of pass '" + out.name + "'");
            out.bindings.push_back(binding_of(given.bindings[i]));
        }
        items(given.push, given.push_count, "the list of push constants");
        for (std::uint32_t i = 0; i < given.push_count; ++i) {
            out.push.push_back(push_word(given.push[i]));
        }
        items(given.constants, given.constant_count, "the list of specialization constants");
        out.constants.assign(given.constants, given.constants + given.constant_count);
        out.dispatch = dispatch_of(to, given.dispatch);
        out.subgroup_size = given.required_subgroup_size;
        out.full_subgroups = given.full_subgroups != VK_FALSE;
        to.add_pass(std::move(out));
    });
}

void weir_add_fill(weir_graph* graph, const char* name, weir_buffer_ref buffer, std::uint32_t value) {
    add(graph, __func__, [&](Graph& to) {
        check(to, buffer, "the buffer");
        to.add_fill(text(name), id_of(buffer), value);
    });
}

void weir_add_copy(weir_graph* graph, const char* name, weir_buffer_ref source, weir_buffer_ref destination,
                   std::uint64_t bytes) {
    add(graph, __func__, [&](Graph& to) {
        check(to, source, "the source");
        check(to, destination, "the destination");
        to.add_copy(text(name), id_of(source), id_of(destination), bytes);
    });
}
