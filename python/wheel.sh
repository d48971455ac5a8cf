#!/usr/bin/env bash
# Builds the wheel of the Python package into build/wheel. `./run wheel` builds libweir_c first.
#
#     python/wheel.sh [FOLDER]     FOLDER instead of build/wheel

set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=../cmake/packages.sh
source "$root/cmake/packages.sh"

out=${1:-$build/wheel}
python=/usr/bin/python3 # the distribution's, which has its modules
export PYTHONWARNINGS=ignore # pip imports distutils before setuptools
"$python" -c 'import setuptools, cffi, pip, wheel' || die "please install: ${python_packages[*]}"
vulkan=$(sed -n 's/^WEIR_VULKAN_INCLUDE_DIR:[A-Z]*=//p; s/^Vulkan_INCLUDE_DIR:[A-Z]*=//p' "$build/CMakeCache.txt" | head -n 1)

rm -rf "$out"
mkdir -p "$out"
cp -r "$root/python" "$out/source"
cp -r "$root/c/include" "$out/source/include"
DESTDIR="$out/stage" cmake --install "$build" --component weir_c_runtime --prefix /usr --strip >"$out/install.log"
library=$(find "$out/stage" -name 'libweir_c.so.[0-9]')
if readelf -d "$library" | grep 'NEEDED.*\[libweir\.so' >/dev/null; then
    die "libweir_c needs libweir; build without BUILD_SHARED_LIBS"
fi
cp -L "$library" "$out/source/weir/"
cp "$root"/LICENSE* "$out/source/"
version=$(sed -n 's/^project(weir VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")
WEIR_VERSION=$version WEIR_VULKAN_INCLUDE=${vulkan:-/usr/include} "$python" -m pip --quiet --disable-pip-version-check \
    wheel --no-build-isolation --no-deps --no-index --no-cache-dir --wheel-dir "$out" "$out/source"
rm -rf "$out/source" "$out/stage" "$out/install.log"
ls "$out"/weir-*.whl
