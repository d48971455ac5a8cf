include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/weir")
install(TARGETS weir EXPORT weirTargets INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
foreach(folder IN ITEMS engine/include graph/include primitives/include)
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/${folder}/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
    FILES_MATCHING PATTERN "*.hpp")
endforeach()
install(DIRECTORY "${PROJECT_BINARY_DIR}/generated/include/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")

configure_package_config_file(cmake/weirConfig.cmake.in "${PROJECT_BINARY_DIR}/weirConfig.cmake"
  INSTALL_DESTINATION "${package_dir}")
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
  if(TARGET weir_shaderc AND NOT WIN32) # which a program opens where its run path says
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

if(WEIR_BUILD_C)
  # An export of its own: who uses it needs none of C++.
  install(TARGETS weir_c EXPORT weirCTargets INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
  install(EXPORT weirCTargets NAMESPACE weir:: DESTINATION "${package_dir}")
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/c/include/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.h")
  string(REPLACE " -DWEIR_STATIC_DEFINE" "" pc_cflags "${pc_cflags}")
  configure_file(cmake/weir_c.pc.in weir_c.pc @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/weir_c.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endif()
