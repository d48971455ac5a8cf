#!/usr/bin/env bash
# ./run docs: builds the HTML site into build/docs. Any warning fails it, so every public name is documented.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=../cmake/packages.sh
source "$root/cmake/packages.sh"
cd "$root"

mkdir -p "$build"
has_apt && install_packages doxygen
command -v doxygen >/dev/null || die "the site needs Doxygen 1.9 or later"

rm -rf "$build/docs"
WEIR_VERSION=$(sed -n 's/^project(weir VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
WEIR_DOCS=$build/docs
export WEIR_VERSION WEIR_DOCS
mkdir -p "$WEIR_DOCS"
doxygen docs/Doxyfile
say "the site is $build/docs/index.html"
