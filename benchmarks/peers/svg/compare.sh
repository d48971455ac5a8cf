#!/usr/bin/env bash
# Compares the sample svg, drawing on the CPU, with librsvg, resvg and Skia.
#
#   compare.sh scenes RESULT   mean differences of all pairs over scenes of Debian's packages: RESULT.md, RESULT.csv and, of the
#                              worst five, RESULT.png
#   compare.sh times           one-thread times of four scenes, to be appended to RESULT.md
#   compare.sh suite FOLDER    which of the drawings in FOLDER are like the .png beside them; likewise
#
# Programs and scenes are unpacked into build/references. Nothing is installed, and nothing of it belongs into the tree. It needs Node.js
# 20 with npm, and Debian's package archive.
#
# All draw the same documents, over white: scenes.mjs takes text, images and filters out, which are not Weir's, and gives the document a
# size. Skia has no reader of SVG in CanvasKit: it draws the simplified document that resvg's toString() writes (canvaskit.mjs).
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
# shellcheck source=../../../cmake/packages.sh
source "$root/cmake/packages.sh"
here="$root/benchmarks/peers/svg"
references="$build/references"

[[ $# -ge 1 && $1 =~ ^(scenes|times|suite)$ ]] || die "compare.sh scenes RESULT | times | suite FOLDER"
what=$1
shift

provide_scenes() {
    local package
    mkdir -p "$references/packages"
    for package in openclipart-svg librsvg2-tests librsvg2-bin inkscape; do
        [[ -d $references/packages/$package ]] && continue
        (cd "$references" && apt-get -q download "$package" && dpkg -x "$package"_*.deb "packages/$package.new" &&
            mv -T "packages/$package.new" "packages/$package" && rm "$package"_*.deb)
    done
}
provide_peers() {
    cmp -s "$here/package.json" "$references/package.json" && return
    cp "$here/package.json" "$references/package.json.new"
    (cd "$references" && mkdir -p npm && cp "$here/package.json" npm/ && cd npm && npm install --no-audit --no-fund --no-package-lock)
    rm -rf "$references/node_modules"
    mv "$references/npm/node_modules" "$references/"
    mv "$references/package.json.new" "$references/package.json"
}

[[ -x $build/bin/svg ]] || "$root/run" svg --help >/dev/null
mkdir -p "$references"
provide_peers >&2
if [[ $what != suite ]]; then
    provide_scenes >&2
    set -- "$references/packages" "$@"
fi
rsvg="$references/packages/librsvg2-bin/usr/bin/rsvg-convert"
if [[ $what != suite ]]; then
    [[ $(ldd "$rsvg") != *"not found"* ]] || die "rsvg-convert lacks libraries that librsvg2-bin depends on"
    export RSVG_CONVERT=$rsvg
fi
export WEIR_REFERENCES=$references WEIR_SVG=$build/bin/svg
exec node "$here/compare.mjs" "$what" "$@"
