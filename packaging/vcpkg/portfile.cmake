# The port of Weir, as an overlay of this tree: vcpkg install weir --overlay-ports=packaging/vcpkg
#
# A release must replace the next lines by vcpkg_from_github with REPO, REF and SHA512 of its archive.
set(SOURCE_PATH "$ENV{WEIR_SOURCE}")
if(NOT SOURCE_PATH)
  cmake_path(SET SOURCE_PATH NORMALIZE "${CMAKE_CURRENT_LIST_DIR}/../..")
endif()

vcpkg_check_features(OUT_FEATURE_OPTIONS features
  FEATURES
    c WEIR_BUILD_C
    samples WEIR_BUILD_SAMPLES
    samples WEIR_INSTALL_SAMPLES
    shaderc WEIR_SHADERC_MODULE)
string(COMPARE EQUAL "${VCPKG_LIBRARY_LINKAGE}" dynamic shared)

# glslc runs during the build, so it is the host's.
vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS
    ${features}
    "-DWEIR_SHARED=${shared}"
    "-DWEIR_GLSLC=${CURRENT_HOST_INSTALLED_DIR}/tools/shaderc/glslc${VCPKG_HOST_EXECUTABLE_SUFFIX}"
    "-DWEIR_SHADERC_DIR=${CURRENT_HOST_INSTALLED_DIR}/include"
    -DWEIR_BUILD_TESTS=OFF
    -DWEIR_BUILD_BENCHMARKS=OFF
    -DWEIR_BUILD_TEXT=OFF
    -DWEIR_INSTALL=ON)
vcpkg_cmake_install()
if("c" IN_LIST FEATURES OR "shaderc" IN_LIST FEATURES) # libweir_c and libweir_shaderc are always shared libraries
  set(VCPKG_POLICY_DLLS_IN_STATIC_LIBRARY enabled)
endif()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/weir)
vcpkg_fixup_pkgconfig()
if("samples" IN_LIST FEATURES)
  vcpkg_copy_tools(AUTO_CLEAN
    TOOL_NAMES weir-culling weir-radix-sort weir-recurrence weir-scan-study weir-splats weir-svg weir-word-count)
endif()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE" "${SOURCE_PATH}/LICENSE-MIT" "${SOURCE_PATH}/LICENSE-APACHE")
