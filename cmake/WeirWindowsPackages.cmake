# Provides the dependencies of a build for Windows from Debian's packages for the host. The preset `windows` includes this file after
# project(). Most packages are used through their headers only. They are linked into a separate folder, because /usr/include also
# contains the headers of the host's C library, which are not for Windows. GoogleTest is compiled from its sources.

set(folder "${PROJECT_BINARY_DIR}/packages")
file(MAKE_DIRECTORY "${folder}")
foreach(name IN ITEMS CLI fmt libfccp nlohmann shaderc spdlog tl vk_video volk.c volk.h vulkan)
  if(EXISTS "/usr/include/${name}")
    file(CREATE_LINK "/usr/include/${name}" "${folder}/${name}" SYMBOLIC)
  endif()
endforeach()
foreach(allocator IN ITEMS "${PROJECT_SOURCE_DIR}/build/deps/usr/include/vk_mem_alloc.h" /usr/include/vk_mem_alloc.h)
  if(EXISTS "${allocator}")
    file(CREATE_LINK "${allocator}" "${folder}/vk_mem_alloc.h" SYMBOLIC)
  endif()
endforeach()

# weir_windows_headers(TARGET FILE): adds a target with headers only. If FILE is missing, WeirDependencies.cmake reports it.
function(weir_windows_headers target file)
  if(EXISTS "${folder}/${file}")
    add_library(${target} INTERFACE IMPORTED GLOBAL)
    set_target_properties(${target} PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${folder}")
  endif()
endfunction()
weir_windows_headers(CLI11::CLI11 CLI/CLI.hpp)
weir_windows_headers(fmt::fmt-header-only fmt/format.h)
weir_windows_headers(nlohmann_json::nlohmann_json nlohmann/json.hpp)
weir_windows_headers(spdlog::spdlog_header_only spdlog/spdlog.h)
weir_windows_headers(tl::expected tl/expected.hpp)

set(WEIR_VULKAN_INCLUDE_DIR "${folder}" CACHE PATH "")
set(WEIR_VOLK_DIR "${folder}" CACHE PATH "")
set(WEIR_SHADERC_DIR "${folder}" CACHE PATH "")
set(WEIR_VMA_INCLUDE_DIR "${folder}" CACHE PATH "")
set(WEIR_CSV_DIR "${folder}/libfccp" CACHE PATH "")

if((WEIR_BUILD_TESTS OR NOT DEFINED WEIR_BUILD_TESTS) AND EXISTS /usr/src/googletest/CMakeLists.txt)
  set(INSTALL_GTEST OFF)
  set(keep ${BUILD_SHARED_LIBS})
  set(BUILD_SHARED_LIBS OFF)
  add_subdirectory(/usr/src/googletest "${PROJECT_BINARY_DIR}/googletest" EXCLUDE_FROM_ALL SYSTEM)
  set(BUILD_SHARED_LIBS ${keep})
endif()

message(STATUS "The packages have no libpng, libjpeg, pugixml, GLFW, RapidCheck and shaderc for Windows. Not built: the samples svg, "
  "splats and culling, windows, tests that need RapidCheck, and GLSL at run time")
set(WEIR_BUILD_PICTURES OFF CACHE BOOL "")
set(WEIR_BUILD_TEXT OFF CACHE BOOL "") # pkg-config would find the packages of the build machine
set(WEIR_TEST_PROPERTIES OFF CACHE BOOL "")
