#ifndef WEIR_C_COMMANDS_H
#define WEIR_C_COMMANDS_H

/// @file
/// The commands of a program as data, in C.

#include <weir/c/program.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Sets `json` to the commands of one execution of the program, for applications that record with a layer of their own:
/// memory, SPIR-V, pipelines, dispatches, copies and barriers, with the current values of parameters.
/// <weir/graph/commands.hpp> describes the members and the duties of the application. The program owns the text; it is
/// valid until the next call of this function or the destruction of the program. Errors: those of Program::commands.
WEIR_C_API weir_result weir_program_commands_json(weir_program* program, const char** json, weir_error* error);

#ifdef __cplusplus
}
#endif

#endif
