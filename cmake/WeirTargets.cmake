include(GenerateExportHeader)

if(NOT CMAKE_RUNTIME_OUTPUT_DIRECTORY) # a parent project may have its own
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
endif()
set(CMAKE_BUILD_RPATH_USE_ORIGIN ON) # installed files must not depend on the build folder
if(PROJECT_IS_TOP_LEVEL)
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
endif()

# ON if the compiler takes the flags of GCC. clang-cl takes those of MSVC.
set(WEIR_GNU_FLAGS OFF)
if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang" AND NOT MSVC)
  set(WEIR_GNU_FLAGS ON)
endif()

# Sets the language level and warnings of a target that this project compiles.
function(weir_own_code target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  if(MSVC) # also clang-cl, for which -Wall would be -Weverything
    # /W3, because GCC and Clang check the stricter warnings. Some tests have more sections than an object holds without /bigobj.
    target_compile_options(${target} PRIVATE /utf-8 /bigobj /W3 $<$<BOOL:${WEIR_WERROR}>:/WX>)
    target_compile_definitions(${target} PRIVATE _CRT_SECURE_NO_WARNINGS) # getenv, fopen
  elseif(WEIR_GNU_FLAGS)
    # Fields without an initializer are zero on purpose: VkSubmitInfo2{VK_STRUCTURE_TYPE_SUBMIT_INFO_2}.
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wno-missing-field-initializers
      $<$<BOOL:${WEIR_WERROR}>:-Werror>)
  endif()
endfunction()

# Adds the headers of a package without the libraries that its CMake target would link.
function(weir_headers_of target package)
  if(TARGET ${package})
    target_include_directories(${target} SYSTEM PRIVATE "$<TARGET_PROPERTY:${package},INTERFACE_INCLUDE_DIRECTORIES>")
  endif()
endfunction()

# Adds header-only spdlog.
function(weir_use_spdlog target)
  weir_headers_of(${target} spdlog::spdlog_header_only)
  if(TARGET fmt::fmt-header-only) # otherwise spdlog uses its own copy of fmt
    weir_headers_of(${target} fmt::fmt-header-only)
    target_compile_definitions(${target} PRIVATE SPDLOG_FMT_EXTERNAL FMT_HEADER_ONLY)
  endif()
endfunction()

# Adds the headers that Weir's own sources need, and tests of private code: private headers from the project root, and
# the header-only packages.
function(weir_private_headers target)
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}" "${PROJECT_BINARY_DIR}/generated/weir")
  target_include_directories(${target} SYSTEM PRIVATE
    "${WEIR_VOLK_DIR}" "${WEIR_SHADERC_DIR}" "${weir_vma_include_dir}")
  target_compile_definitions(${target} PRIVATE VK_NO_PROTOTYPES)
  weir_use_spdlog(${target})
  weir_headers_of(${target} nlohmann_json::nlohmann_json)
endfunction()

# Sets the public interface of weir. The Vulkan loader is opened at run time and never linked.
function(weir_library_interface target)
  target_include_directories(${target} PUBLIC
    "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/engine/include>"
    "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/graph/include>"
    "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/primitives/include>"
    "$<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/generated/include>")
  if(NOT BUILD_SHARED_LIBS)
    target_compile_definitions(${target} PUBLIC WEIR_STATIC_DEFINE)
  endif()
  target_link_libraries(${target}
    PUBLIC Vulkan::Headers tl::expected
    PRIVATE Threads::Threads ${CMAKE_DL_LIBS})
  if(NOT PROJECT_IS_TOP_LEVEL)
    set_target_properties(${target} PROPERTIES SYSTEM ON) # no warnings from Weir's headers in a parent project
  endif()
  set_target_properties(${target} PROPERTIES
    CXX_VISIBILITY_PRESET hidden
    C_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON
    POSITION_INDEPENDENT_CODE ON
    VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
endfunction()

# Writes the header that defines WEIR_API.
function(weir_export_header target)
  generate_export_header(${target} BASE_NAME WEIR EXPORT_MACRO_NAME WEIR_API
    EXPORT_FILE_NAME "${PROJECT_BINARY_DIR}/generated/include/weir/engine/export.hpp")
endfunction()

# weir_part(PART [FOR_SIZE] [USES PART...]): adds the object library weir_PART, a part of weir. Ninja compiles no object of a target
# before all generated files of that target, including kernels. Therefore a program that needs one part waits only for the kernels of
# that part. FOR_SIZE optimizes for size, for functions that run once per device or shader.
function(weir_part part)
  cmake_parse_arguments(PARSE_ARGV 1 arg "FOR_SIZE" "" USES)
  set(target weir_${part})
  add_library(${target} OBJECT)
  weir_own_code(${target})
  weir_private_headers(${target})
  weir_library_interface(${target})
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP WEIR_EMBED_NAME weir WEIR_USES "${arg_USES}")
  if(BUILD_SHARED_LIBS)
    target_compile_definitions(${target} PRIVATE weir_EXPORTS)
  endif()
  if(WEIR_GNU_FLAGS)
    # -O2 instead of -O3: programs are a seventh smaller, and host code is not the bottleneck.
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:$<IF:$<BOOL:${arg_FOR_SIZE}>,-Os,-O2>>)
  endif()
  # Precompiles the headers that nearly every source includes: the library compiles in a fifth less time. (volk.c is C.)
  if(part STREQUAL core)
    set(headers "<algorithm$<ANGLE-R>" "<unordered_map$<ANGLE-R>" "${PROJECT_SOURCE_DIR}/graph/include/weir/graph/graph.hpp")
    list(TRANSFORM headers REPLACE "(.+)" "$<$<COMPILE_LANGUAGE:CXX>:\\1>")
    target_precompile_headers(${target} PRIVATE ${headers})
  elseif(NOT arg_FOR_SIZE)
    target_precompile_headers(${target} REUSE_FROM weir_core)
  endif()
  target_sources(weir PRIVATE $<TARGET_OBJECTS:${target}>)
  set_property(TARGET weir APPEND PROPERTY WEIR_PARTS ${target})
endfunction()

# Adds two interface targets for programs of this project. weir_headers has the interface of weir without its objects. weir_linked
# links weir, or the library that the property WEIR_LIBRARY of the program names. Must be called when the interface of weir is complete.
function(weir_program_interface)
  add_library(weir_headers INTERFACE)
  foreach(property IN ITEMS COMPILE_DEFINITIONS COMPILE_FEATURES INCLUDE_DIRECTORIES LINK_LIBRARIES LINK_OPTIONS)
    get_target_property(value weir INTERFACE_${property})
    if(value)
      set_target_properties(weir_headers PROPERTIES INTERFACE_${property} "${value}")
    endif()
  endforeach()
  add_library(weir_linked INTERFACE)
  set(library "$<TARGET_PROPERTY:WEIR_LIBRARY>")
  target_link_libraries(weir_linked INTERFACE "$<IF:$<BOOL:${library}>,${library},weir::weir>")
endfunction()

# weir_needs_parts(PROGRAM PART...): links these parts, and the parts that they use, into the program instead of all of weir. The
# program is built sooner. Does nothing if weir is a shared library.
function(weir_needs_parts program)
  if(BUILD_SHARED_LIBS)
    return()
  endif()
  set(library weir_for_${program})
  add_library(${library} STATIC EXCLUDE_FROM_ALL)
  set(parts ${ARGN})
  set(added)
  while(parts)
    list(POP_FRONT parts part)
    if(NOT part IN_LIST added)
      list(APPEND added ${part})
      target_sources(${library} PRIVATE $<TARGET_OBJECTS:weir_${part}>)
      get_target_property(uses weir_${part} WEIR_USES)
      list(APPEND parts ${uses})
    endif()
  endwhile()
  target_link_libraries(${library} INTERFACE weir_headers)
  set_target_properties(${library} PROPERTIES LINKER_LANGUAGE CXX)
  set_target_properties(${program} PROPERTIES WEIR_LIBRARY ${library})
endfunction()

# weir_group(PART NAME SOURCE...): adds sources of a part that every program links. A unity build (CMAKE_UNITY_BUILD, as in ./run)
# compiles them as one source. All other sources are compiled alone, so a program links only the objects that it calls.
function(weir_group part name)
  list(TRANSFORM ARGN PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/")
  target_sources(weir_${part} PRIVATE ${ARGN})
  set_source_files_properties(${ARGN} TARGET_DIRECTORY weir_${part} PROPERTIES UNITY_GROUP ${name})
endfunction()

# Compiles a target faster, for code whose work is on the device. -Og takes a third less time to compile than -O1.
function(weir_quick_to_compile target)
  if(WEIR_GNU_FLAGS)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-Og>)
  endif()
endfunction()

# Adds a program of this project, in bin/. It uses the public headers.
function(weir_program target)
  add_executable(${target} ${ARGN})
  weir_own_code(${target})
  if(WIN32) # the manifest sets UTF-8 command lines and allows long paths
    set(manifest "${PROJECT_SOURCE_DIR}/cmake/programs.manifest")
    if(NOT MSVC)
      set(resource "${PROJECT_BINARY_DIR}/generated/programs.rc")
      file(CONFIGURE OUTPUT "${resource}" CONTENT "1 24 \"${manifest}\"\n" @ONLY)
      set(manifest "${resource}")
    endif()
    target_sources(${target} PRIVATE "${manifest}")
  endif()
  target_link_libraries(${target} PRIVATE weir_linked CLI11::CLI11 nlohmann_json::nlohmann_json)
endfunction()
