# Debian packages: run `cpack -G DEB` in a build folder of the preset `debian`, which has a shared library and the prefix /usr.
# docs/building.md describes how to make and install them. tests/scripts/packages.sh tries them in a minimal system.
#
#   libweirX.Y     the library with that SONAME, and the module that compiles GLSL if shaderc's shared library cannot be used
#   libweir-cN     the C interface
#   libweir-dev    headers, CMake and pkg-config files, GLSL, examples, weir::paths, weir::splats, weir::svg, weir::text
#   weir-samples   the samples, as weir-NAME

if(NOT BUILD_SHARED_LIBS OR NOT WEIR_INSTALL OR NOT WEIR_BUILD_C OR NOT WEIR_BUILD_SAMPLES OR NOT WEIR_INSTALL_SAMPLES)
  message(FATAL_ERROR "WEIR_PACKAGES needs WEIR_SHARED, WEIR_INSTALL, WEIR_BUILD_C, WEIR_BUILD_SAMPLES, WEIR_INSTALL_SAMPLES: see the preset debian")
endif()
if(NOT CMAKE_INSTALL_PREFIX STREQUAL "/usr")
  message(FATAL_ERROR "WEIR_PACKAGES needs CMAKE_INSTALL_PREFIX=/usr, not ${CMAKE_INSTALL_PREFIX}")
endif()
find_program(WEIR_GZIP gzip REQUIRED)
mark_as_advanced(WEIR_GZIP)

# Maintainer of the packages, from the environment variables of Debian's tools. The default address does not exist; a release needs one.
set(name "$ENV{DEBFULLNAME}")
set(email "$ENV{DEBEMAIL}")
if(NOT name)
  set(name "The Weir authors")
endif()
if(NOT email)
  set(email "weir@example.org")
endif()
set(WEIR_DEBIAN_MAINTAINER "${name} <${email}>" CACHE STRING "Maintainer of the Debian packages")
set(WEIR_DEBIAN_REVISION "0upstream1" CACHE STRING "Revision of the Debian packages. A revision that begins with 0 is older than Debian's")

# The date of all files: SOURCE_DATE_EPOCH, else the last commit, else the last change of CHANGELOG.md.
set(epoch "$ENV{SOURCE_DATE_EPOCH}")
if(NOT epoch)
  execute_process(COMMAND git -C "${PROJECT_SOURCE_DIR}" log -1 --format=%ct OUTPUT_VARIABLE epoch
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    file(TIMESTAMP "${PROJECT_SOURCE_DIR}/CHANGELOG.md" epoch "%s" UTC)
  endif()
endif()
set(own_epoch "$ENV{SOURCE_DATE_EPOCH}")
set(ENV{SOURCE_DATE_EPOCH} "${epoch}") # string(TIMESTAMP) reads it
string(TIMESTAMP changelog_date "%a, %d %b %Y %H:%M:%S +0000" UTC)
string(TIMESTAMP manual_date "%Y-%m-%d" UTC)
string(TIMESTAMP year "%Y" UTC)
if(own_epoch)
  set(ENV{SOURCE_DATE_EPOCH} "${own_epoch}")
else()
  unset(ENV{SOURCE_DATE_EPOCH})
endif()

get_target_property(abi weir SOVERSION)
get_target_property(c_abi weir_c SOVERSION)
set(runtime "libweir${abi}")
set(c_runtime "libweir-c${c_abi}")
set(debian_version "${PROJECT_VERSION}-${WEIR_DEBIAN_REVISION}")
set(folder "${PROJECT_BINARY_DIR}/debian")

# Files in every package: license and changes.
file(READ "${PROJECT_SOURCE_DIR}/LICENSE-MIT" mit)
string(REGEX REPLACE "^.*\nPermission" "Permission" mit "${mit}")
string(STRIP "${mit}" mit)
string(REPLACE "\n\n" "\n.\n" mit "${mit}")
string(REPLACE "\n" "\n " mit " ${mit}")
configure_file(packaging/debian/copyright.in "${folder}/copyright" @ONLY)
configure_file(packaging/debian/changelog.in "${folder}/changelog" @ONLY)
function(weir_compress input output)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${input}")
  execute_process(COMMAND "${WEIR_GZIP}" -9nc "${input}" OUTPUT_FILE "${output}" COMMAND_ERROR_IS_FATAL ANY)
endfunction()
weir_compress("${folder}/changelog" "${folder}/changelog.Debian.gz")
weir_compress("${PROJECT_SOURCE_DIR}/CHANGELOG.md" "${folder}/changelog.gz")

# weir_package(COMPONENT NAME SECTION SUMMARY TEXT FIELD=VALUE...): adds a package. Lines of TEXT have at most 79 characters; an empty
# line is ".".
set(CPACK_COMPONENTS_ALL "")
macro(weir_package component package section summary text)
  list(APPEND CPACK_COMPONENTS_ALL ${component})
  string(TOUPPER ${component} prefix)
  set(CPACK_DEBIAN_${prefix}_PACKAGE_NAME "${package}")
  set(CPACK_DEBIAN_${prefix}_PACKAGE_SECTION "${section}")
  set(CPACK_DEBIAN_${prefix}_DESCRIPTION "${summary}\n${text}")
  foreach(field IN ITEMS ${ARGN})
    string(REGEX MATCH "^([A-Z]+)=(.*)$" matched "${field}")
    set(CPACK_DEBIAN_${prefix}_PACKAGE_${CMAKE_MATCH_1} "${CMAKE_MATCH_2}")
  endforeach()
  install(FILES "${folder}/copyright" "${folder}/changelog.Debian.gz" "${folder}/changelog.gz"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/${package}" COMPONENT ${component})
endmacro()

set(about "Weir has GPU primitives (scan, reduction, compaction, sorts, searches) as
passes of a compiled graph, which is recorded into command buffers of the
application. It runs on any device with Vulkan 1.2.")
set(compiler "")
if(NOT TARGET weir_shaderc)
  set(compiler "RECOMMENDS=libshaderc1")
endif()
weir_package(weir_runtime ${runtime} libs "GPU parallel primitives for Vulkan, composed as a graph"
"${about}
.
This package has the shared library."
  "DEPENDS=libvulkan1" ${compiler} "SUGGESTS=mesa-vulkan-drivers | vulkan-icd")
weir_package(weir_c_runtime ${c_runtime} libs "GPU parallel primitives for Vulkan: the C interface"
"${about}
.
This package has the shared library for programs in C and for languages that
call C."
  "DEPENDS=${runtime} (= ${debian_version})")
weir_package(weir_dev libweir-dev libdevel "GPU parallel primitives for Vulkan: development files"
"${about}
.
This package has the headers for C++ and C, files for CMake and pkg-config,
GLSL for kernels of the application, the libraries of vector graphics
and text weir::paths, weir::splats, weir::svg and weir::text, and examples."
  "DEPENDS=${runtime} (= ${debian_version}), ${c_runtime} (= ${debian_version}), libexpected-dev, libvulkan-dev (>= 1.3)"
  "SUGGESTS=glslc, libvulkan-volk-dev, libpugixml-dev, libpng-dev, libjpeg-dev, libfontconfig-dev, libfreetype-dev, libfribidi-dev, libharfbuzz-dev")
weir_package(weir_samples weir-samples graphics "GPU parallel primitives for Vulkan: sample programs"
"${about}
.
This package has programs that sort numbers, draw SVG files and clouds of
Gaussian splats, cull a scene, and more."
  "DEPENDS=${runtime} (= ${debian_version})" "RECOMMENDS=mesa-vulkan-drivers | vulkan-icd")

install(DIRECTORY "${PROJECT_SOURCE_DIR}/examples/" DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/libweir-dev/examples"
  COMPONENT weir_dev FILES_MATCHING PATTERN "*.cpp" PATTERN "*.hpp" PATTERN "*.c" PATTERN "*.py" PATTERN "CMakeLists.txt"
  PATTERN "*.vert" PATTERN "*.frag" PATTERN "*.comp")

# One manual page describes all samples. The page of each program includes it.
configure_file(packaging/debian/weir-samples.1.in "${folder}/weir-samples.1" @ONLY)
weir_compress("${folder}/weir-samples.1" "${folder}/weir-samples.1.gz")
install(FILES "${folder}/weir-samples.1.gz" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" COMPONENT weir_samples)
file(WRITE "${folder}/page" ".so man1/weir-samples.1\n")
weir_compress("${folder}/page" "${folder}/page.gz")
foreach(sample IN ITEMS culling radix_sort recurrence splats svg word_count)
  string(REPLACE "_" "-" program "weir-${sample}")
  install(FILES "${folder}/page.gz" RENAME "${program}.1.gz" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" COMPONENT weir_samples)
endforeach()

# Dependencies of packages with programs that link the libraries. The C++ ABI is not stable, so the version must be the same.
foreach(entry IN ITEMS "runtime|libweir ${abi} ${runtime} (= ${debian_version})" "c_runtime|libweir_c ${c_abi} ${c_runtime} (>= ${PROJECT_VERSION})")
  string(REGEX MATCH "^([^|]+)\\|(.*)$" matched "${entry}")
  file(WRITE "${folder}/${CMAKE_MATCH_1}/shlibs" "${CMAKE_MATCH_2}\n")
  file(WRITE "${folder}/${CMAKE_MATCH_1}/triggers" "activate-noawait ldconfig\n")
  string(TOUPPER "WEIR_${CMAKE_MATCH_1}" prefix)
  set(CPACK_DEBIAN_${prefix}_PACKAGE_CONTROL_EXTRA "${folder}/${CMAKE_MATCH_1}/shlibs;${folder}/${CMAKE_MATCH_1}/triggers")
endforeach()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME weir)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # each package has its own
set(CPACK_PACKAGE_VENDOR "The Weir authors")
set(CPACK_PACKAGE_CONTACT "${WEIR_DEBIAN_MAINTAINER}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_DIRECTORY "${PROJECT_BINARY_DIR}/packages")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE "${WEIR_DEBIAN_REVISION}")
set(CPACK_DEBIAN_PACKAGE_SOURCE weir)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${PROJECT_BINARY_DIR}" "${PROJECT_BINARY_DIR}/lib")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
# CPack reads date.cmake before it builds the packages, and runs finish.cmake on the finished packages.
file(CONFIGURE OUTPUT "${folder}/date.cmake" CONTENT "set(ENV{SOURCE_DATE_EPOCH} ${epoch})\n" @ONLY)
set(CPACK_PROJECT_CONFIG_FILE "${folder}/date.cmake")
file(WRITE "${folder}/finish.cmake" "execute_process(COMMAND \"${PROJECT_SOURCE_DIR}/packaging/debian/finish.sh\" ${epoch} \${CPACK_PACKAGE_FILES}
  COMMAND_ERROR_IS_FATAL ANY)\n")
set(CPACK_POST_BUILD_SCRIPTS "${folder}/finish.cmake")
include(CPack)
