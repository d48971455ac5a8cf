"""run.py TREE OUT OPTION=VALUE...: runs the steps of `conan create TREE/packaging/conan`. The package next to this file replaces Conan, and the
system's packages replace Conan's. Exports, configures, builds and packages Weir, then builds and runs the test package with the values of
package_info."""
import importlib.util
import os
import shutil
import subprocess
import sys
from types import SimpleNamespace

sys.dont_write_bytecode = True
from conan import CppInfo, Options, Settings

tree, out, *arguments = sys.argv[1:]
shutil.rmtree(out, ignore_errors=True)


def folder_of(file):
    places = [os.path.join(tree, "build", "deps", "usr", "include"), "/usr/include", "/usr/include/vma"]
    return next((place for place in places if os.path.exists(os.path.join(place, file))), "/nowhere")


def package(name, file, folder=None):
    return SimpleNamespace(cpp_info=CppInfo([folder_of(file)]), package_folder=folder)


class Dependencies(dict):
    """Dependencies by name. The tools are in `build`."""


def load(path, of):
    spec = importlib.util.spec_from_file_location("conanfile", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, of)


class_of_recipe = load(os.path.join(tree, "packaging", "conan", "conanfile.py"), "WeirConan")
recipe = class_of_recipe()
recipe.work_folder = out
recipe.recipe_folder = os.path.join(tree, "packaging", "conan")
recipe.export_sources_folder = os.path.join(out, "sources")
recipe.package_folder = os.path.join(out, "package")
recipe.needed, recipe.needed_tools = [], []
recipe.settings = Settings(os="Linux", arch="x86_64", build_type="Release", compiler=SimpleNamespace(cppstd="20"))
recipe.settings_build = recipe.settings
chosen = {name: value == "True" for name, value in (argument.split("=") for argument in arguments)}
assert set(chosen) <= set(recipe.options), f"unknown option in {chosen}"
own = {name: value for name, value in class_of_recipe.default_options.items() if ":" not in name} # options of dependencies are named PATTERN:OPTION
recipe.options = Options(class_of_recipe.options, {**own, **chosen})
recipe.cpp_info = CppInfo()

# glslc is in bin/ of its package.
os.makedirs(os.path.join(out, "shaderc", "bin"))
os.symlink(shutil.which("glslc"), os.path.join(out, "shaderc", "bin", "glslc"))
recipe.dependencies = Dependencies({
    "volk": package("volk", "volk.c"),
    "vulkan-memory-allocator": package("vulkan-memory-allocator", "vk_mem_alloc.h"),
    "vulkan-headers": package("vulkan-headers", "vulkan/vulkan_core.h"),
})
recipe.dependencies.build = {"shaderc": package("shaderc", "shaderc/shaderc.h", os.path.join(out, "shaderc"))}

for step in ("set_version", "export_sources", "config_options", "configure", "layout", "requirements", "build_requirements", "validate", "generate",
             "build", "package", "package_info"):
    print("==", step, flush=True)
    getattr(recipe, step)()
print("version", recipe.version)
print("requires", *recipe.needed, *recipe.needed_tools)
assert sorted(os.listdir(os.path.join(recipe.package_folder, "licenses"))) == ["LICENSE", "LICENSE-APACHE", "LICENSE-MIT"]

# Imported targets of the components, as CMakeDeps would write them.
lines = ["find_package(tl-expected REQUIRED)"]
for name, part in recipe.cpp_info._components.items():
    target = part.properties["cmake_target_name"]
    lines.append(f"add_library({target} INTERFACE IMPORTED)")
    lines.append(f'target_include_directories({target} INTERFACE "{recipe.package_folder}/include")')
    for library in part.libs:
        found = [os.path.join(recipe.package_folder, "lib", f"lib{library}{end}") for end in (".so", ".a")]
        lines.append(f'target_link_libraries({target} INTERFACE "{next(filter(os.path.exists, found))}")')
    lines.append(f"target_link_libraries({target} INTERFACE {' '.join(part.system_libs)})")
    lines.append(f"target_compile_definitions({target} INTERFACE {' '.join(part.defines)})")
    lines.append(f"target_link_options({target} INTERFACE {' '.join(part.exelinkflags)})")
    for other in part.requires:
        if other == "tl-expected::tl-expected":
            lines.append(f"target_link_libraries({target} INTERFACE tl::expected)")
        elif "::" not in other:
            lines.append(f"target_link_libraries({target} INTERFACE weir::{other})")
config = os.path.join(out, "config")
os.makedirs(config)
with open(os.path.join(config, f"{recipe.cpp_info.properties['cmake_file_name']}-config.cmake"), "w", encoding="utf-8") as file:
    file.write("\n".join(lines) + "\n")

test = os.path.join(out, "test")
subprocess.run(["cmake", "-S", os.path.join(tree, "packaging", "conan", "test_package"), "-B", test, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                f"-Dweir_DIR={config}"], check=True)
subprocess.run(["cmake", "--build", test], check=True)
assert os.path.exists(os.path.join(test, "version")) == chosen.get("with_c", False)
for program in ("sort", "version"):
    if os.path.exists(os.path.join(test, program)):
        subprocess.run([os.path.join(test, program)], check=True)
