# Embeds data in a target. Each entry becomes a constant, declared in <target>_shaders.hpp, which the target can include.
# weir_embed_finish writes that header. It must be called last, in the same CMakeLists.txt as the entries. Targets with the
# same property WEIR_EMBED_NAME share a header and a namespace of that name.
#
#   weir_embed_shader(TARGET t SOURCE scan/scan.comp NAME scan_u32_add [PACKED] [LOOPS kept|unrolled] [DEFINES A=1 B=2])
#       Compiles GLSL to SPIR-V: <target>::shaders::NAME, a std::span<const std::uint32_t>; PACKED: a weir::Packed. Debug
#       builds do not optimize, which takes a tenth of the time. LOOPS selects passes of spirv-opt that are several times
#       faster than `glslc -O` on large shaders:
#         kept      inlines and promotes to SSA once, and leaves unrolling to the driver
#         unrolled  unrolls the loops of each function before it is inlined, then runs the passes of `glslc -O`
#       Without spirv-opt, LOOPS is ignored. benchmarks/NOTES.md has times on a GPU.
#   weir_embed_text(TARGET t FILE primitives/shapes.csv NAME shapes)
#       Embeds a file unchanged: <target>::shaders::NAME, a std::string_view.
#   weir_embed_text(TARGET t FILE scan/scan.glsl PATH weir/scan.glsl)
#       Packs a file and lists it in <target>::shaders::texts under PATH. All these files are in one source.
#   weir_embed_finish(t)
#   weir_embed_finish(NAME TARGET...)
#       Writes the header of one target, or of all targets whose property WEIR_EMBED_NAME is NAME.
#
# Packed data is a tenth of the size. It is a weir::Packed, which engine/codec/unpack.hpp unpacks. The packing program is
# built from engine/codec first, for the host.

set(WEIR_EMBED_TEXT_SCRIPT "${CMAKE_CURRENT_LIST_DIR}/embed_text.cmake")

set(sources pack.cpp packer.cpp renumber.cpp)
list(TRANSFORM sources PREPEND "${PROJECT_SOURCE_DIR}/engine/codec/")
if(CMAKE_CROSSCOMPILING)
  find_program(WEIR_HOST_CXX NAMES c++ g++ clang++ REQUIRED)
  mark_as_advanced(WEIR_HOST_CXX)
  set(WEIR_PACK "${PROJECT_BINARY_DIR}/generated/weir_pack") # must differ from the name of the target
  file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/generated")
  add_custom_command(
    OUTPUT "${WEIR_PACK}"
    COMMAND "${WEIR_HOST_CXX}" -std=c++20 -O2 -I "${PROJECT_SOURCE_DIR}" ${sources} -o "${WEIR_PACK}"
    DEPENDS ${sources} "${PROJECT_SOURCE_DIR}/engine/codec/packing.hpp"
    VERBATIM)
  add_custom_target(weir_pack DEPENDS "${WEIR_PACK}")
else()
  add_executable(weir_pack EXCLUDE_FROM_ALL ${sources})
  weir_own_code(weir_pack)
  target_include_directories(weir_pack PRIVATE "${PROJECT_SOURCE_DIR}")
  set(WEIR_PACK weir_pack)
endif()

# `glslc -O` inlines first and then unrolls loops in one large function, which takes most of its time.
set(promote --scalar-replacement=100 --convert-local-access-chains --eliminate-local-single-block
  --eliminate-local-single-store --ssa-rewrite --ccp --eliminate-dead-branches --simplify-instructions
  --eliminate-dead-code-aggressive --merge-blocks)
set(WEIR_LOOPS_kept --strip-debug --merge-return --inline-entry-points-exhaustive --eliminate-dead-functions
  --private-to-local --eliminate-local-single-block --eliminate-local-single-store --eliminate-dead-code-aggressive
  ${promote})
set(WEIR_LOOPS_unrolled --strip-debug --eliminate-dead-functions --eliminate-local-single-block
  --eliminate-local-single-store --ssa-rewrite --loop-unroll ${promote} -O)

# Sets `variable` to the name of the header and namespace that contain the entries of `target`.
function(_weir_embed_name target variable)
  get_target_property(name ${target} WEIR_EMBED_NAME)
  if(NOT name)
    set(name ${target})
  endif()
  set(${variable} ${name} PARENT_SCOPE)
endfunction()

# Adds a source that defines the entry `name` of the type `declaration`. `header` declares only that type: the header of
# all entries takes ten times as long to compile as packed.hpp.
function(_weir_embed target name header declaration definition)
  _weir_embed_name(${target} all)
  set(folder "${PROJECT_BINARY_DIR}/generated/${all}")
  file(CONFIGURE OUTPUT "${folder}/${name}.cpp" @ONLY CONTENT
"#include <cstdint>
#include ${header}
namespace ${all}::shaders {
extern const ${declaration} ${name};
${definition}
}
")
  target_sources(${target} PRIVATE "${folder}/${name}.cpp")
  # One source per entry, because a program then links only the entries that it uses.
  set_source_files_properties("${folder}/${name}.cpp" TARGET_DIRECTORY ${target}
    PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON)
  set_property(TARGET ${target} APPEND PROPERTY WEIR_EMBED_OUTPUTS "${folder}/${name}.inc")
  set_property(TARGET ${target} APPEND_STRING PROPERTY WEIR_EMBED_DECLARATIONS "extern const ${declaration} ${name};\n")
endfunction()

# Packs the SPIR-V file `input` for the entry `name`.
function(_weir_embed_packed target name input)
  _weir_embed_name(${target} all)
  set(output "${PROJECT_BINARY_DIR}/generated/${all}/${name}.inc")
  add_custom_command(
    OUTPUT "${output}"
    COMMAND "${WEIR_PACK}" spirv "${input}" "${output}"
    DEPENDS "${input}" weir_pack
    VERBATIM)
  _weir_embed(${target} ${name} "\"engine/codec/packed.hpp\"" "weir::Packed"
"namespace {
constexpr std::uint8_t bytes[] = {
#include \"${name}.inc\"
};
}
constinit const weir::Packed ${name}{bytes, sizeof bytes};")
  set_property(TARGET ${target} PROPERTY WEIR_EMBED_INCLUDE "#include \"engine/codec/packed.hpp\"")
endfunction()

function(weir_embed_shader)
  cmake_parse_arguments(PARSE_ARGV 0 arg "PACKED" "TARGET;SOURCE;NAME;LOOPS" "DEFINES")
  cmake_path(ABSOLUTE_PATH arg_SOURCE OUTPUT_VARIABLE source)
  set(public "${PROJECT_SOURCE_DIR}/shaders/include")
  set(library "${PROJECT_SOURCE_DIR}/shaders/lib")
  set(format -mfmt=num)
  set(extension inc)
  if(arg_PACKED)
    set(format)
    set(extension spv)
  endif()
  _weir_embed_name(${arg_TARGET} all)
  set(output "${PROJECT_BINARY_DIR}/generated/${all}/${arg_NAME}.${extension}")
  list(TRANSFORM arg_DEFINES PREPEND "-D")
  set(optimize "$<IF:$<CONFIG:Debug>,-O0,-O>")
  set(compiled "${output}")
  set(passes)
  if(arg_LOOPS AND WEIR_SPIRV_OPT)
    set(optimize -O0)
    set(compiled "${output}.raw")
    list(JOIN WEIR_LOOPS_${arg_LOOPS} "$<SEMICOLON>" recipe)
    set(passes COMMAND "${WEIR_SPIRV_OPT}" "$<$<NOT:$<CONFIG:Debug>>:${recipe}>" "${compiled}" -o "${output}")
  endif()
  # glslc does not escape spaces in its dependency file. Relative paths do not contain the path of the checkout.
  foreach(path IN ITEMS source public library output compiled)
    file(RELATIVE_PATH ${path}_relative "${CMAKE_CURRENT_BINARY_DIR}" "${${path}}")
  endforeach()
  add_custom_command(
    OUTPUT "${output}"
    COMMAND "${WEIR_GLSLC}" --target-env=vulkan1.3 "${optimize}" -Werror ${arg_DEFINES}
            -I "${public_relative}" -I "${library_relative}" -MD -MF "${output_relative}.d" -MT "${output_relative}"
            ${format} -o "${compiled_relative}" "${source_relative}"
    ${passes}
    DEPENDS "${source}"
    DEPFILE "${output}.d"
    WORKING_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}"
    COMMENT "Compiling shader ${arg_NAME}"
    COMMAND_EXPAND_LISTS
    VERBATIM)
  if(arg_PACKED)
    _weir_embed_packed(${arg_TARGET} ${arg_NAME} "${output}")
    return()
  endif()
  _weir_embed(${arg_TARGET} ${arg_NAME} "<span>" "std::span<const std::uint32_t>"
"namespace {
constexpr std::uint32_t words[] = {
#include \"${arg_NAME}.inc\"
};
}
constinit const std::span<const std::uint32_t> ${arg_NAME}{words};")
endfunction()

function(weir_embed_text)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "TARGET;FILE;NAME;PATH" "")
  cmake_path(ABSOLUTE_PATH arg_FILE)
  if(arg_PATH)
    set_property(TARGET ${arg_TARGET} APPEND_STRING PROPERTY WEIR_EMBED_TEXTS "${arg_PATH} ${arg_FILE}\n")
    set_property(TARGET ${arg_TARGET} APPEND PROPERTY WEIR_EMBED_TEXT_FILES "${arg_FILE}")
    return()
  endif()
  _weir_embed_name(${arg_TARGET} all)
  set(output "${PROJECT_BINARY_DIR}/generated/${all}/${arg_NAME}.inc")
  add_custom_command(
    OUTPUT "${output}"
    COMMAND "${CMAKE_COMMAND}" "-DINPUT=${arg_FILE}" "-DOUTPUT=${output}" -P "${WEIR_EMBED_TEXT_SCRIPT}"
    DEPENDS "${arg_FILE}" "${WEIR_EMBED_TEXT_SCRIPT}"
    VERBATIM)
  _weir_embed(${arg_TARGET} ${arg_NAME} "<string_view>" "std::string_view"
"constinit const std::string_view ${arg_NAME}{
#include \"${arg_NAME}.inc\"
};")
endfunction()

# Packs all texts of `target` into one source.
function(_weir_embed_texts target)
  get_target_property(list ${target} WEIR_EMBED_TEXTS)
  if(NOT list)
    return()
  endif()
  get_target_property(files ${target} WEIR_EMBED_TEXT_FILES)
  _weir_embed_name(${target} all)
  set(list_file "${PROJECT_BINARY_DIR}/generated/${all}/texts.list")
  set(output "${PROJECT_BINARY_DIR}/generated/${all}/texts.inc")
  file(CONFIGURE OUTPUT "${list_file}" CONTENT "${list}" @ONLY)
  add_custom_command(
    OUTPUT "${output}"
    COMMAND "${WEIR_PACK}" texts "${list_file}" "${output}"
    DEPENDS ${files} "${list_file}" weir_pack
    VERBATIM)
  set_property(TARGET ${target} APPEND_STRING PROPERTY WEIR_EMBED_DECLARATIONS "struct Text {
    std::string_view path;
    weir::Packed text;
};
")
  _weir_embed(${target} texts "\"${all}_shaders.hpp\"" "std::span<const Text>"
"namespace {
#include \"texts.inc\"
}
constinit const std::span<const Text> texts{list};")
  set_property(TARGET ${target} PROPERTY WEIR_EMBED_INCLUDE "#include \"engine/codec/packed.hpp\"")
endfunction()

function(weir_embed_finish name)
  set(targets ${ARGN})
  if(NOT targets)
    set(targets ${name})
  endif()
  set(folder "${PROJECT_BINARY_DIR}/generated/${name}")
  set(includes)
  set(declarations)
  foreach(target IN LISTS targets)
    _weir_embed_texts(${target})
    get_property(outputs TARGET ${target} PROPERTY WEIR_EMBED_OUTPUTS)
    get_property(include TARGET ${target} PROPERTY WEIR_EMBED_INCLUDE)
    get_property(declaration TARGET ${target} PROPERTY WEIR_EMBED_DECLARATIONS)
    list(APPEND includes ${include})
    string(APPEND declarations "${declaration}")
    target_include_directories(${target} PRIVATE "${folder}")
    # The custom commands belong to this directory. The target may belong to another one, so a target orders them.
    add_custom_target(${target}_embedded DEPENDS ${outputs})
    add_dependencies(${target} ${target}_embedded)
  endforeach()
  list(REMOVE_DUPLICATES includes)
  list(JOIN includes "\n" includes)
  file(CONFIGURE OUTPUT "${folder}/${name}_shaders.hpp" @ONLY CONTENT
"#pragma once
#include <cstdint>
#include <span>
#include <string_view>
${includes}
namespace ${name}::shaders {
${declarations}}
")
endfunction()
