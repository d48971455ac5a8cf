import os
import subprocess


def cmake_layout(recipe):
    recipe.source_folder = recipe.export_sources_folder
    recipe.build_folder = os.path.join(recipe.work_folder, "build")
    recipe.generators_folder = os.path.join(recipe.build_folder, "generators")
    os.makedirs(recipe.generators_folder, exist_ok=True)


class CMakeToolchain:
    """Writes a file with the initial values of the CMake cache."""

    def __init__(self, recipe):
        self.recipe, self.cache_variables = recipe, {}

    def generate(self):
        with open(os.path.join(self.recipe.generators_folder, "cache.cmake"), "w", encoding="utf-8") as file:
            for name, value in self.cache_variables.items():
                kind = "BOOL" if isinstance(value, bool) else "STRING"
                value = ("ON" if value else "OFF") if isinstance(value, bool) else value
                assert value, f"{name} is empty"
                file.write(f'set({name} "{value}" CACHE {kind} "")\n')


class CMakeDeps:
    def __init__(self, recipe):
        pass

    def generate(self):
        pass


class CMake:
    def __init__(self, recipe):
        self.recipe = recipe

    def configure(self):
        recipe = self.recipe
        fpic = recipe.options.__dict__.get("fPIC", True)
        command = ["cmake", "-S", recipe.source_folder, "-B", recipe.build_folder, "-G", "Ninja",
                   "-C", os.path.join(recipe.generators_folder, "cache.cmake"),
                   f"-DCMAKE_BUILD_TYPE={recipe.settings.build_type}", f"-DCMAKE_INSTALL_PREFIX={recipe.package_folder}",
                   "-DCMAKE_INSTALL_LIBDIR=lib", f"-DBUILD_SHARED_LIBS={recipe.options.shared}",
                   f"-DCMAKE_POSITION_INDEPENDENT_CODE={fpic}", "-DCMAKE_UNITY_BUILD=ON", "-DCMAKE_UNITY_BUILD_BATCH_SIZE=12"]
        ran = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        output = ran.stdout
        print(output, flush=True)
        ran.check_returncode()
        assert "not used by the project" not in output

    def build(self):
        subprocess.run(["cmake", "--build", self.recipe.build_folder, "-j", "2"], check=True)

    def install(self):
        subprocess.run(["cmake", "--install", self.recipe.build_folder], check=True)
