#!/usr/bin/env bash
# ./run docs [FOLDER]: builds the HTML site into FOLDER (build/docs). Any warning fails it, so every public name is documented.
# The theme is Debian's package doxygen-awesome-css; without it the site looks as Doxygen makes it.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=../cmake/packages.sh
source "$root/cmake/packages.sh"
theme=/usr/share/doxygen-awesome-css
site=${1:-$build/docs}

mkdir -p "$build"
has_apt && install_packages doxygen doxygen-awesome-css
command -v doxygen >/dev/null || die "the site needs Doxygen 1.9 or later"

rm -rf "$site"
mkdir -p "$site"
site=$(cd "$site" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$root"
WEIR_VERSION=$(sed -n 's/^project(weir VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
WEIR_DOCS=$site
export WEIR_VERSION WEIR_DOCS

# A page for each program of examples/.
(cd examples && find . -name '*.?pp' -o -name '*.c' -o -name '*.py') |
    LC_ALL=C sort | sed 's,^\./\(.*\),/** @example \1 */,' >"$work/examples.dox"

# The menu: Doxygen's own, with a group of pages for each row of the table in docs/index.md.
doxygen -l "$work/default.xml"
awk -f docs/site_menu.awk docs/index.md "$work/default.xml" >"$work/layout.xml"

settings=(
    "INPUT += $work/examples.dox"
    "LAYOUT_FILE = $work/layout.xml"
    "HTML_EXTRA_FILES = $(echo docs/*.png docs/*.svg)"
)
if [[ -d $theme ]]; then
    doxygen -w html "$work/default.html" "$work/footer.html" "$work/style.css"
    awk '/<\/head>/ { while ((getline line < "docs/site_head.html") > 0) print line } { print }' \
        "$work/default.html" >"$work/header.html"
    settings+=(
        "HTML_HEADER = $work/header.html"
        "HTML_EXTRA_STYLESHEET = $theme/doxygen-awesome.css $theme/doxygen-awesome-sidebar-only.css"
        "HTML_EXTRA_STYLESHEET += $theme/doxygen-awesome-sidebar-only-darkmode-toggle.css"
        "HTML_EXTRA_FILES += $(echo "$theme"/*.js)"
    )
    # Doxygen 1.9.5 and later have dark colors of their own, which the theme replaces.
    doxygen -s -g - | grep '^HTML_COLORSTYLE ' >/dev/null && settings+=("HTML_COLORSTYLE = LIGHT")
fi
settings+=("HTML_EXTRA_STYLESHEET += docs/site.css")
(cat docs/Doxyfile && printf '%s\n' "${settings[@]}") | doxygen -
say "the site is $site/index.html"
