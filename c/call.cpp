#include <weir/graph/call.hpp>

#include <array>

#include "c/convert.hpp"
#include "engine/base/propagate.hpp"

using namespace weir::c;

struct weir_call {
    weir::Call call;
};
struct weir_call_builder {
    weir::CallBuilder& builder;
    weir_graph graph;
};

namespace {

/// Calls `body` to add a buffer. Refuses types that buffers cannot have.
template <class Body>
weir_buffer_ref add_buffer(weir_call_builder* builder, const char* function, weir_type type, const Body& body) {
    return add(builder == nullptr ? nullptr : &builder->graph, function, [&](weir::Graph&) {
        using All = Joined<Keys, Structs>::type;
        return with_words(All(), "a buffer", type, [&]<class T>(std::type_identity<T>) {
            return to_c(body(builder->builder, std::type_identity<T>()), type);
        });
    });
}

weir::BufferView view_of(const weir_buffer_view& view) {
    return {view.buffer, view.offset, view.size};
}

weir_result record(weir_call* call, VkCommandBuffer commands, const weir::CallCount& count,
                   const weir_buffer_view* buffers, std::uint32_t buffer_count, weir_error* error,
                   const char* function) {
    return guarded(error, function, [&]() -> weir::Result<> {
        weir::Call& recorded = needed(call, "the call").call;
        std::array<weir::BufferView, 16> views; // no allocation
        if (buffer_count > views.size()) {
            refuse(std::to_string(buffer_count) + " buffers; at most " + std::to_string(views.size()));
        }
        std::transform(items(buffers, buffer_count, "buffers"), buffers + buffer_count, views.begin(), view_of);
        return recorded.record(commands, count, std::span(views.data(), buffer_count));
    });
}

} // namespace

weir_graph* weir_call_graph(weir_call_builder* builder) {
    return builder == nullptr ? nullptr : &builder->graph;
}

weir_buffer_ref weir_call_per_element(weir_call_builder* builder, const char* name, weir_type type) {
    return add_buffer(builder, __func__, type, [&]<class T>(weir::CallBuilder& to, std::type_identity<T>) {
        return to.per_element<T>(text(name));
    });
}

weir_buffer_ref weir_call_fixed(weir_call_builder* builder, const char* name, weir_type type, std::uint32_t capacity) {
    return add_buffer(builder, __func__, type, [&]<class T>(weir::CallBuilder& to, std::type_identity<T>) {
        return to.fixed<T>(text(name), capacity);
    });
}

weir_count weir_call_count(const weir_call_builder* builder) {
    return builder == nullptr ? weir_count{} : to_c(builder->builder.count());
}

weir_result weir_call_create(weir_context* context, const weir_call_options* options, weir_build_call build, void* data,
                             weir_call** call, weir_error* error) {
    return guarded(error, __func__, [&]() -> weir::Result<> {
        needed(call, "the output pointer for the call");
        const auto given = needed_struct(options, "options");
        if (build == nullptr) {
            refuse("the function that builds the call is null");
        }
        weir::CallOptions out{.max_count = given.max_count};
        if (given.max_pending != 0) {
            out.max_pending = given.max_pending;
        }
        out.count_on_gpu = given.count_on_gpu != VK_FALSE;
        out.application_barriers = given.application_barriers != VK_FALSE;
        out.name = text(given.name);
        bool out_of_memory = false;
        auto created = weir::Call::create(needed(context, "the context").context, out, [&](weir::CallBuilder& builder) {
            weir_call_builder of_c{builder, weir_graph(builder.graph())};
            build(&of_c, data);
            out_of_memory = of_c.graph.out_of_memory;
        });
        if (out_of_memory) {
            refuse("out of host memory for the graph", weir::ErrorCode::out_of_memory);
        }
        WEIR_PROPAGATE(created);
        *call = new weir_call{std::move(*created)};
        return {};
    });
}

void weir_call_destroy(weir_call* call) {
    delete call;
}

weir_result weir_call_record(weir_call* call, VkCommandBuffer commands, std::uint32_t count,
                             const weir_buffer_view* buffers, std::uint32_t buffer_count, weir_error* error) {
    return record(call, commands, count, buffers, buffer_count, error, __func__);
}

weir_result weir_call_record_counted(weir_call* call, VkCommandBuffer commands, weir_buffer_view count,
                                     const weir_buffer_view* buffers, std::uint32_t buffer_count, weir_error* error) {
    return record(call, commands, view_of(count), buffers, buffer_count, error, __func__);
}
