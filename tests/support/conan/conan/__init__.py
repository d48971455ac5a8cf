"""The part of Conan 2's package that packaging/conan/conanfile.py uses. For tests/support/conan/run.py, which does not need Conan."""
from types import SimpleNamespace


class Settings(SimpleNamespace):
    def get_safe(self, name, default=None):
        value = self
        for part in name.split("."):
            value = getattr(value, part, None)
        return default if value is None else value


class Options:
    """Options of a recipe. Undeclared names and values that the recipe does not allow are errors."""

    def __init__(self, allowed, values):
        self.__dict__.update(values)
        for name, value in values.items():
            assert value in allowed[name], f"{name} cannot be {value}"

    def rm_safe(self, name):
        self.__dict__.pop(name, None)


class CppInfo:
    def __init__(self, includedirs=("include",), libdirs=("lib",)):
        self.includedirs, self.libdirs = list(includedirs), list(libdirs)
        self.libs, self.defines, self.system_libs, self.requires, self.exelinkflags = [], [], [], [], []
        self.properties = {}
        self._components = {}

    @property
    def components(self):
        parts = self._components

        class Parts(dict):
            def __missing__(self, name):
                return parts.setdefault(name, CppInfo())

        return Parts(parts)

    def set_property(self, name, value):
        assert name in ("cmake_file_name", "cmake_target_name", "pkg_config_name"), name
        self.properties[name] = value

    def aggregated_components(self):
        return self


class ConanFile:
    name = version = None
    recipe_folder = source_folder = build_folder = package_folder = export_sources_folder = generators_folder = None

    def requires(self, reference, visible=True, transitive_headers=False):
        self.needed.append(reference)

    def tool_requires(self, reference):
        self.needed_tools.append(reference)
