"""Declares the C interface of Weir to cffi, from its headers. The C compiler checks each declaration against them."""

import os
import pathlib
import re

import cffi

here = pathlib.Path(__file__).resolve().parent
headers = here / "include"
vulkan = pathlib.Path(os.environ["WEIR_VULKAN_INCLUDE"])
(library,) = (here / "weir").glob("libweir_c.so.*")  # wheel.sh copies it and the headers
seen = set()


def declarations_of(header):
    """Returns the declarations of a header after those of the headers of Weir that it includes.

    Comments, directives and export macros are left out. A header that was read before has no declarations.
    """
    if header in seen:
        return ""
    seen.add(header)
    text = re.sub(r"/\*.*?\*/|//[^\n]*", "", (headers / header).read_text(), flags=re.DOTALL)
    text = re.sub(r"^#include <(weir/.*)>", lambda included: declarations_of(included[1]), text, flags=re.MULTILINE)
    text = re.sub(r"^\s*#(?:[^\n]*\\\n)*[^\n]*", "", text, flags=re.MULTILINE)
    text = re.sub(r'extern "C" \{|\bWEIR_C_API\b', "", text)
    return re.sub(r"^\}\s*$", "", text, flags=re.MULTILINE)  # end of extern "C"


def vulkan_type(name, header):
    """Returns a declaration of a type of Vulkan that suffices to pass it on."""
    if re.search(rf"VK_DEFINE(_NON_DISPATCHABLE)?_HANDLE\({name}\)", header):
        return f"typedef struct {name}_T* {name};"
    if name.startswith("PFN_"):
        return f"typedef ... *{name};"
    struct = re.search(rf"typedef (struct|union) {name} \{{", header)
    if struct:
        return f"typedef {struct[1]} {name} {{ ...; }} {name};"
    return f"typedef int... {name};"


text = declarations_of("weir.h")
core = (vulkan / "vulkan" / "vulkan_core.h").read_text()
used = sorted(set(re.findall(r"\b(?:Vk[A-Z]\w+|PFN_vk\w+)\b", text)))

ffi = cffi.FFI()
ffi.cdef("\n".join(vulkan_type(name, core) for name in used) + text)
ffi.set_source(
    "weir._native",
    "#include <weir.h>",
    include_dirs=[str(headers), str(vulkan)],
    extra_link_args=[str(library), "-Wl,-rpath,$ORIGIN"],
    extra_compile_args=["-O1", "-g0"],
    py_limited_api=True,
)
