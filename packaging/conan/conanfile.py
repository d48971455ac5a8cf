"""Conan 2 recipe of Weir, for the sources that contain this file:

    conan create packaging/conan --build=missing

A release must replace `export_sources` by `source`, which downloads the archive of the release and checks its hash.
"""
import os

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load, rmdir

required_conan_version = ">=2.0"


class WeirConan(ConanFile):
    name = "weir"
    description = "GPU parallel primitives for Vulkan (scan, reduction, compaction, sorts, searches), composed as a graph"
    license = "MIT OR Apache-2.0"
    topics = ("vulkan", "gpu", "compute", "scan", "sort")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False], "with_c": [True, False], "with_shaderc": [True, False]}
    # spdlog and fmt are compiled into Weir, with hidden symbols.
    default_options = {"shared": False, "fPIC": True, "with_c": False, "with_shaderc": False,
                       "spdlog/*:header_only": True, "fmt/*:header_only": True}

    def _tree(self):
        return os.environ.get("WEIR_SOURCE") or os.path.join(self.recipe_folder, "..", "..")

    def set_version(self):
        lists = load(self, os.path.join(self._tree(), "CMakeLists.txt"))
        self.version = self.version or lists.split("project(weir VERSION ")[1].split()[0]

    def export_sources(self):
        for pattern in ("CMakeLists.txt", "LICENSE*", "cmake/*", "engine/*", "graph/*", "primitives/*", "shaders/*", "c/*"):
            copy(self, pattern, src=self._tree(), dst=self.export_sources_folder)

    def config_options(self):
        if self.settings.os == "Windows":
            self.options.rm_safe("fPIC")

    def configure(self):
        if self.options.shared:
            self.options.rm_safe("fPIC")

    def layout(self):
        cmake_layout(self)

    def requirements(self):
        # Transitive: included by Weir's public headers. Invisible: included only by its sources.
        self.requires("vulkan-headers/[>=1.3.239]", transitive_headers=True)
        self.requires("tl-expected/[>=1.0 <2]", transitive_headers=True)
        for reference in ("volk/[>=1.3.239]", "spdlog/[>=1.10 <2]", "nlohmann_json/[>=3.11 <4]", "vulkan-memory-allocator/[>=3.0.1 <4]"):
            self.requires(reference, visible=False)
        if self.options.with_shaderc:
            self.requires("shaderc/[>=2023.6]", visible=False)

    def build_requirements(self):
        self.tool_requires("cmake/[>=3.25 <5]")
        self.tool_requires("shaderc/[>=2023.6]") # glslc and the header of shaderc

    def validate(self):
        check_min_cppstd(self, 20)

    def _folder_of(self, dependency, file):
        for folder in dependency.cpp_info.aggregated_components().includedirs:
            if os.path.exists(os.path.join(folder, file)):
                return folder.replace("\\", "/")
        return ""

    def generate(self):
        toolchain = CMakeToolchain(self)
        variables = toolchain.cache_variables
        variables["WEIR_SHARED"] = "ON" if self.options.shared else "OFF"
        variables["WEIR_BUILD_C"] = bool(self.options.with_c)
        variables["WEIR_SHADERC_MODULE"] = bool(self.options.with_shaderc)
        for part in ("SAMPLES", "PATHS", "TESTS", "BENCHMARKS"):
            variables[f"WEIR_BUILD_{part}"] = False
        shaderc = self.dependencies.build["shaderc"]
        variables["WEIR_SHADERC_DIR"] = self._folder_of(shaderc, "shaderc/shaderc.h")
        variables["WEIR_VOLK_DIR"] = self._folder_of(self.dependencies["volk"], "volk.c")
        variables["WEIR_VMA_INCLUDE_DIR"] = self._folder_of(self.dependencies["vulkan-memory-allocator"], "vk_mem_alloc.h")
        variables["WEIR_VULKAN_INCLUDE_DIR"] = self._folder_of(self.dependencies["vulkan-headers"], "vulkan/vulkan_core.h")
        glslc = os.path.join(shaderc.package_folder, "bin", "glslc")
        variables["WEIR_GLSLC"] = (glslc + (".exe" if self.settings_build.os == "Windows" else "")).replace("\\", "/")
        toolchain.generate()
        CMakeDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE*", src=self.source_folder, dst=os.path.join(self.package_folder, "licenses"))
        CMake(self).install()
        # Conan generates these files for the consumer, with its own paths.
        rmdir(self, os.path.join(self.package_folder, "lib", "cmake"))
        rmdir(self, os.path.join(self.package_folder, "lib", "pkgconfig"))

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "weir")
        self.cpp_info.set_property("cmake_target_name", "weir::all") # otherwise weir::weir would be all components
        weir = self.cpp_info.components["weir"]
        weir.set_property("cmake_target_name", "weir::weir")
        weir.set_property("pkg_config_name", "weir")
        weir.libs = ["weir"]
        weir.requires = ["vulkan-headers::vulkan-headers", "tl-expected::tl-expected"]
        if not self.options.shared:
            weir.defines = ["WEIR_STATIC_DEFINE"]
            if self.settings.os in ("Linux", "FreeBSD"):
                weir.system_libs = ["dl", "pthread"]
                if self.options.with_shaderc: # a program finds the module by its run path
                    weir.exelinkflags = ["-Wl,-rpath," + os.path.join(self.package_folder, "lib", "weir")]
        if self.options.with_c:
            c = self.cpp_info.components["c"]
            c.set_property("cmake_target_name", "weir::c")
            c.set_property("pkg_config_name", "weir_c")
            c.libs = ["weir_c"]
            c.requires = ["vulkan-headers::vulkan-headers"]
            if self.options.shared:
                c.requires.append("weir")
