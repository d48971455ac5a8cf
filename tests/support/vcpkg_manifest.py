"""vcpkg_manifest.py FILE VERSION: checks a port's vcpkg.json against vcpkg's reference (names, versions, dependencies, features)."""
import json
import re
import sys

path, version = sys.argv[1:]
with open(path, encoding="utf-8") as file:
    text = file.read()
manifest = json.loads(text)
identifier = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
known = {"name", "version", "port-version", "description", "homepage", "documentation", "license", "supports", "maintainers", "dependencies",
         "default-features", "features"}


def check(holds, what):
    if not holds:
        sys.exit(f"{path}: {what}")


def check_dependencies(dependencies):
    names = []
    for dependency in dependencies:
        if isinstance(dependency, str):
            dependency = {"name": dependency}
        check(set(dependency) <= {"name", "host", "features", "default-features", "platform", "version>="}, f"unknown field in {dependency}")
        check(identifier.fullmatch(dependency["name"]), f"{dependency['name']} is not a valid name")
        check(isinstance(dependency.get("host", False), bool), f"host of {dependency['name']} is not a boolean")
        names.append((dependency["name"], dependency.get("host", False)))
    check(names == sorted(set(names)), f"dependencies are not sorted: {names}")


check(set(manifest) <= known, f"unknown fields {set(manifest) - known}")
check(identifier.fullmatch(manifest["name"]), f"{manifest['name']} is not a valid name")
check(re.fullmatch(r"\d+(\.\d+)*", manifest["version"]), f"{manifest['version']} is not a valid version")
check(manifest["version"] == version, f"the version is {manifest['version']}, but CMakeLists.txt has {version}")
check(manifest["license"] == "MIT OR Apache-2.0", "the license is not MIT OR Apache-2.0")
check(manifest["description"] and not manifest["description"].endswith("."), "the description is empty or ends with a period")
check_dependencies(manifest["dependencies"])
check(list(manifest["features"]) == sorted(manifest["features"]), "features are not sorted")
for name, feature in manifest["features"].items():
    check(identifier.fullmatch(name) and name != "core" and name != "default", f"{name} is not a valid name of a feature")
    check(set(feature) <= {"description", "dependencies", "supports", "license"}, f"unknown field in {name}")
    check(feature.get("description"), f"{name} has no description")
    check_dependencies(feature.get("dependencies", []))
check(text == json.dumps(manifest, indent=2) + "\n", "the layout is not that of vcpkg format-manifest")
print(*manifest["features"], sep="\n")
