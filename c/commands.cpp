#include <weir/graph/commands.hpp>

#include "c/convert.hpp"
#include "engine/base/propagate.hpp"

using namespace weir::c;

weir_result weir_program_commands_json(weir_program* program, const char** json, weir_error* error) {
    return guarded(error, __func__, [&]() -> weir::Result<> {
        const char*& out = needed(json, "the output pointer for the text");
        const auto commands = needed(program, "the program").program.commands();
        WEIR_PROPAGATE(commands);
        program->commands = commands->json();
        out = program->commands.c_str();
        return {};
    });
}
