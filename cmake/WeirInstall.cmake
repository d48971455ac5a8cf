# Install rules, by component. weir_runtime and weir_c_runtime contain the files that programs need at run time, weir_dev those that
# compilers need, and weir_samples the sample programs. packaging/debian.cmake makes a package of each.
include(CMakePackageConfigHelpers)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME weir_dev)

# Installs a library only if it is built: `cmake --install` builds nothing, and `./run NAME` or `ninja weir` may not have built it.
# libweir_c and each library in renderers/ have a folder each, because `return` in an install script skips the remaining rules of its
# folder.
macro(weir_install_if_built target)
  install(CODE "if(NOT EXISTS \"$<TARGET_FILE:${target}>\")
    message(STATUS \"Not installed: ${target}, which is not built\")
    return()
  endif()" ALL_COMPONENTS)
endmacro()
# `./run radix_sort` builds only parts of weir. Without weir, none of the following rules is run.
weir_install_if_built(weir)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/weir")
install(TARGETS weir EXPORT weirTargets
  RUNTIME COMPONENT weir_runtime LIBRARY COMPONENT weir_runtime NAMELINK_COMPONENT weir_dev ARCHIVE COMPONENT weir_dev
  INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
foreach(folder IN ITEMS engine/include graph/include primitives/include)
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/${folder}/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
    FILES_MATCHING PATTERN "*.hpp")
endforeach()
install(DIRECTORY "${PROJECT_BINARY_DIR}/generated/include/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")

# GLSL for kernels that users compile ahead of time: pass -I with this folder and use #include <weir/FILE>.
set(weir_glsl_dir "${CMAKE_INSTALL_DATADIR}/weir/glsl")
# Public files include those of shaders/lib, which are installed next to them.
install(DIRECTORY "${PROJECT_SOURCE_DIR}/shaders/include/weir/" "${PROJECT_SOURCE_DIR}/shaders/lib/"
  DESTINATION "${weir_glsl_dir}/weir"
  FILES_MATCHING PATTERN "*.glsl" PATTERN "*.h")
install(DIRECTORY "${PROJECT_BINARY_DIR}/generated/hlsl/" "${PROJECT_SOURCE_DIR}/shaders/hlsl/"
  DESTINATION "${weir_glsl_dir}/weir"
  FILES_MATCHING PATTERN "weir_*.hlsl")

configure_package_config_file(cmake/weirConfig.cmake.in "${PROJECT_BINARY_DIR}/weirConfig.cmake"
  INSTALL_DESTINATION "${package_dir}" PATH_VARS weir_glsl_dir)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/weirConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(EXPORT weirTargets NAMESPACE weir:: DESTINATION "${package_dir}")
install(FILES "${PROJECT_BINARY_DIR}/weirConfig.cmake" "${PROJECT_BINARY_DIR}/weirConfigVersion.cmake"
  "${PROJECT_SOURCE_DIR}/cmake/WeirVulkanHeaders.cmake" DESTINATION "${package_dir}")

set(pc_cflags "")
set(pc_libs "")
if(NOT BUILD_SHARED_LIBS)
  string(APPEND pc_cflags " -DWEIR_STATIC_DEFINE")
  string(APPEND pc_libs " -pthread")
  if(CMAKE_DL_LIBS AND NOT WIN32)
    string(APPEND pc_libs " -l${CMAKE_DL_LIBS}")
  endif()
  if(TARGET weir_shaderc AND NOT WIN32) # a program finds it by its run path
    string(APPEND pc_libs " -Wl,-rpath,\${libdir}/weir")
  endif()
endif()
if(WEIR_VULKAN_INCLUDE_DIR AND NOT WEIR_VULKAN_INCLUDE_DIR IN_LIST CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES)
  string(APPEND pc_cflags " -I${WEIR_VULKAN_INCLUDE_DIR}")
endif()
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig"
  OUTPUT_VARIABLE pc_prefix)
configure_file(cmake/weir.pc.in weir.pc @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/weir.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")

if(TARGET weir_paths)
  add_subdirectory("${PROJECT_SOURCE_DIR}/cmake/install/paths" "${PROJECT_BINARY_DIR}/install/paths")
endif()
if(TARGET weir_splats)
  add_subdirectory("${PROJECT_SOURCE_DIR}/cmake/install/splats" "${PROJECT_BINARY_DIR}/install/splats")
endif()
if(TARGET weir_svg)
  add_subdirectory("${PROJECT_SOURCE_DIR}/cmake/install/svg" "${PROJECT_BINARY_DIR}/install/svg")
endif()
if(TARGET weir_text)
  add_subdirectory("${PROJECT_SOURCE_DIR}/cmake/install/text" "${PROJECT_BINARY_DIR}/install/text")
endif()
if(WEIR_BUILD_C)
  add_subdirectory("${PROJECT_SOURCE_DIR}/cmake/install/c" "${PROJECT_BINARY_DIR}/install/c")
endif()

if(WEIR_INSTALL_SAMPLES AND WEIR_BUILD_SAMPLES)
  foreach(sample IN ITEMS culling radix_sort recurrence splats svg word_count)
    string(REPLACE "_" "-" program "weir-${sample}")
    set_target_properties(${sample} PROPERTIES OUTPUT_NAME ${program})
    if(NOT CMAKE_INSTALL_PREFIX STREQUAL "/usr") # else the system finds the libraries
      cmake_path(RELATIVE_PATH CMAKE_INSTALL_FULL_LIBDIR BASE_DIRECTORY "${CMAKE_INSTALL_FULL_BINDIR}" OUTPUT_VARIABLE libraries)
      set_target_properties(${sample} PROPERTIES INSTALL_RPATH "$ORIGIN/${libraries};$ORIGIN/${libraries}/weir")
    endif()
    install(TARGETS ${sample} RUNTIME COMPONENT weir_samples)
  endforeach()
endif()
