#include <cstddef>

#include <weir/graph/compile_ahead.hpp>

#include "c/convert.hpp"
#include "engine/base/propagate.hpp"

using namespace weir::c;

weir_result weir_compile(weir_context* context, const weir_graph* graph, const weir_compile_options* options,
                         weir_program** program, weir_error* error) {
    return guarded(error, __func__, [&]() -> weir::Result<> {
        needed(program, "the output pointer for the program");
        const weir::Context& on = needed(context, "the context").context;
        if (needed(graph, "the graph").out_of_memory) {
            refuse("out of host memory for the graph", weir::ErrorCode::out_of_memory);
        }
        const auto given = options_or_zeros(options, offsetof(weir_compile_options, name));
        weir::CompileOptions out;
        if (given.frames_in_flight != 0) {
            out.frames_in_flight = given.frames_in_flight;
        }
        if (given.recordings_per_frame != 0) {
            out.recordings_per_frame = given.recordings_per_frame;
        }
        out.share_memory = given.separate_memory == VK_FALSE;
        out.name = text(given.name);
        auto compiled = weir::compile(on, graph->graph, out);
        WEIR_PROPAGATE(compiled);
        *program = new weir_program{std::move(*compiled)};
        return {};
    });
}

weir_result weir_compile_ahead(const weir_graph* graph, const char* file, weir_error* error) {
    return guarded(error, __func__, [&] {
        if (needed(graph, "the graph").out_of_memory) {
            refuse("out of host memory for the graph", weir::ErrorCode::out_of_memory);
        }
        return weir::compile_ahead(graph->graph, std::string(&needed(file, "the file")));
    });
}

void weir_program_destroy(weir_program* program) {
    delete program;
}

weir_result weir_program_bind(weir_program* program, weir_buffer_ref import, weir_buffer_view range,
                              weir_error* error) {
    return guarded(error, __func__, [&] {
        return needed(program, "the program")
            .program.bind(id_of(import), weir::BufferView{range.buffer, range.offset, range.size});
    });
}

weir_result weir_program_bind_buffer(weir_program* program, weir_buffer_ref import, const weir_buffer* buffer,
                                     weir_error* error) {
    return guarded(error, __func__, [&] {
        return needed(program, "the program").program.bind(id_of(import), needed(buffer, "the buffer").buffer);
    });
}

weir_result weir_program_set(weir_program* program, weir_count parameter, std::uint32_t value, weir_error* error) {
    return guarded(error, __func__,
                   [&] { return needed(program, "the program").program.set(count_of(parameter), value); });
}

weir_result weir_program_record(weir_program* program, VkCommandBuffer commands, weir_error* error) {
    return guarded(error, __func__, [&] {
        needed(commands, "the command buffer");
        return needed(program, "the program").program.record(commands);
    });
}

weir_result weir_program_next_frame(weir_program* program, weir_error* error) {
    return guarded(error, __func__, [&]() -> weir::Result<> {
        needed(program, "the program").program.next_frame();
        return {};
    });
}

weir_result weir_program_discard(weir_program* program, weir_error* error) {
    return guarded(error, __func__, [&] { return needed(program, "the program").program.discard(); });
}

weir_result weir_program_submit(weir_program* program, const weir_submit_options* options, weir_error* error) {
    return guarded(error, __func__, [&] {
        const auto given = options_or_zeros(options);
        weir::SubmitOptions out;
        out.waits = {items(given.waits, given.wait_count, "the list of waits"), given.wait_count};
        out.signaled = {items(given.signaled, given.signaled_count, "the list of what is signaled"),
                        given.signaled_count};
        out.fence = given.fence;
        return needed(program, "the program").program.submit(out);
    });
}

weir_result weir_program_wait(weir_program* program, weir_error* error) {
    return guarded(error, __func__, [&] { return needed(program, "the program").program.wait(); });
}

weir_result weir_program_run(weir_program* program, double* gpu_ms, weir_error* error) {
    return guarded(error, __func__, [&]() -> weir::Result<> {
        const auto report = needed(program, "the program").program.run();
        WEIR_PROPAGATE(report);
        if (gpu_ms != nullptr) {
            *gpu_ms = report->gpu_ms.value_or(-1);
        }
        return {};
    });
}

weir_result weir_program_view(const weir_program* program, weir_buffer_ref buffer, weir_buffer_view* range,
                              weir_error* error) {
    return guarded(error, __func__, [&]() -> weir::Result<> {
        weir_buffer_view& out = needed(range, "the output pointer for the range");
        const weir::BufferView view = needed(program, "the program").program.view(id_of(buffer));
        if (view.buffer == VK_NULL_HANDLE) {
            refuse("the buffer is neither exported by the program's graph nor a bound import");
        }
        out = {view.buffer, view.offset, view.size};
        return {};
    });
}

std::uint64_t weir_program_memory(const weir_program* program) {
    return program == nullptr ? 0 : program->program.memory();
}

const char* weir_program_plan(weir_program* program, weir_plan_form form) {
    const char* out = nullptr;
    (void)guarded(nullptr, __func__, [&]() -> weir::Result<> {
        const weir::Plan& plan = needed(program, "the program").program.plan();
        switch (form) {
        case WEIR_PLAN_TEXT: program->plan = plan.text(); break;
        case WEIR_PLAN_DOT: program->plan = plan.dot(); break;
        case WEIR_PLAN_JSON: program->plan = plan.json(); break;
        default: refuse("plan form " + std::to_string(static_cast<unsigned>(form)) + " does not exist");
        }
        out = program->plan.c_str();
        return {};
    });
    return out;
}
