#!/usr/bin/env bash
# Compares the C++, C and Python of README.md and docs/ with examples/, which tests/scripts/install.sh and c.sh compile and run.
# The line before each block must be a comment that names a program, and for an excerpt a mark of that program:
#
#     <!-- example: scans.cpp fused -->

# shellcheck source=../support/script.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/script.sh"
work_in_temporary_folder

# Prints a program, or its lines between "// [MARK]" and "// [/MARK]" without the indentation of the marks. In Python, marks
# begin with "#".
example() { # FILE [MARK]
    if [[ ! ${2:-} ]]; then
        cat "$root/examples/$1"
        return
    fi
    local comment=//
    [[ $1 == *.py ]] && comment='#'
    awk -v mark="$2" -v comment="$comment" '
        index($0, comment " [/" mark "]") { inside = 0 }
        inside { print substr($0, 1, indentation) ~ /^ *$/ ? substr($0, indentation + 1) : $0 }
        index($0, comment " [" mark "]") { inside = 1; indentation = index($0, comment) - 1 }' "$root/examples/$1"
}

# Writes each block of code of a page to a separate file. Prints a line for each: its line number, the file, the line before it.
blocks() { # PAGE
    awk -v work="$work" '
        /^```/ && inside { inside = 0; close(file); next }
        /^```(cpp|c|python)$/ { inside = 1; file = work "/" ++blocks; printf "" > file; print NR, file, previous }
        /^```/ { next }
        inside { print > file }
        { previous = $0 }' "$1"
}

pages=("$root/README.md")
mapfile -t -O 1 pages < <(find "$root/docs" -name '*.md' | sort)
for page in "${pages[@]}"; do
    name=${page#"$root/"}
    while read -r line file comment; do
        difference="no comment before the block names an example"
        [[ $comment =~ ^'<!-- example: '([a-z0-9_/]+\.([ch]pp|c|py))' '?([a-z_0-9]*)' '?'-->'$ ]] &&
            difference=$(diff "$file" <(example "${BASH_REMATCH[1]}" "${BASH_REMATCH[3]}"))
        result "$name:$line" $? "it must equal examples/${BASH_REMATCH[1]:-} ${BASH_REMATCH[3]:-}: $difference"
    done < <(blocks "$page")
done

# Blocks without a language are not compared. They may have declarations, but no code that uses Weir.
uses=$(awk '
    FNR == 1 { inside = 0 }
    /^```/ { plain = !inside && $0 == "```"; inside = !inside; next }
    inside && plain && /(graph|program)\.|weir::/ { print FILENAME ":" FNR ": " $0 }' "${pages[@]}")
[[ ! $uses ]]
result plain_blocks $? "these lines must be in a block of C++: $uses"

# The speed tables of all pages must match the file of results from which they were written.
results=$(sed -n 's/^results="$root\/\(.*\)"$/\1/p' "$root/docs/pictures.sh")
check speed_tables "$root/docs/speed_tables.py" --check "$root/$results"

# Tables and links of all pages.
check markdown "$root/tests/markdown.py"

cat >"$work/mistakes.md" <<'END'
# Names

| a | b |
|---|---|
| 1 | 2 | 3 |
| 1 |
| `x|y` | 2 |
| `x\|y` | 2 |

| 5 | 6 |

[good](#names), [anchor](#none), [file](none.md), `[code](none.md)`, [site](https://example.org/none.md), ![picture](none.png)
END
found=$("$root/tests/markdown.py" "$work/mistakes.md" | sed -n 's/^[^:]*mistakes\.md:\([0-9]*\): .*/\1/p' | paste -sd ' ')
[[ $found == "5 6 7 10 12 12 12" ]]
result markdown_mistakes $? "found in the lines $found"

# docs/index.md and README.md must link every page. The menu of the site contains only pages in the table of docs/index.md.
for list in docs/index.md README.md; do
    missing=()
    for page in "$root"/docs/*.md; do
        link=$(basename "$page")
        [[ $list == docs/* ]] || link=docs/$link
        [[ $link == *index.md ]] || grep -qF "]($link)" "$root/$list" || missing+=("$link")
    done
    ((${#missing[@]} == 0))
    result "pages $list" $? "it has no link to ${missing[*]}"
done

# The site must have no dead links, and Doxygen must print no warnings.
mkdir "$work/dead"
printf '%s\n' '<a id="here"></a>' '<a href="#here"></a>' '<a href="b.html#there"></a>' '<a href="https://example.org/c.html"></a>' \
    '<a href="#none"></a>' '<a href="b.html#none"></a>' '<a href="none.html"></a>' '<img src="none.png"/>' >"$work/dead/a.html"
printf '<p id="there">\n' >"$work/dead/b.html"
printf 'var menu = ["b.html#there", "b.html#lost"];\n' >"$work/dead/menu.js"
found=$("$root/tests/site_links.py" "$work/dead" | tail -n 1)
[[ $found == "8 links within the site, 5 of them dead; 1 links to other sites" ]]
result site_links_mistakes $? "$found"

if ! command -v doxygen >/dev/null; then
    skip_without_package site "doxygen is not installed"
elif [[ ! -d /usr/share/doxygen-awesome-css ]]; then
    skip_without_package site "doxygen-awesome-css is not installed"
else
    check site "$root/docs/site.sh" "$work/site" && check site_links "$root/tests/site_links.py" "$work/site"
fi
