# Reads docs/index.md, then Doxygen's default layout. Writes the layout with a menu entry for each row of the page's table
# of links, instead of the list of all pages. The list of C++ concepts is left out: it has the name of a page, and one item.
FNR == NR {
    if (!/^\| .*\]\([A-Za-z0-9_.\/]+\.md\)/ || /`/)
        next
    split($0, cells, / *\| */)
    tabs = tabs "    <tab type=\"usergroup\" visible=\"yes\" title=\"" toupper(substr(cells[2], 1, 1)) substr(cells[2], 2) "\">\n"
    while (match($0, /\[[^]]*\]\([^)]*\.md\)/)) {
        split(substr($0, RSTART + 1, RLENGTH - 5), link, /\]\(/) # title, path without .md
        sub(/.*\//, "", link[2])
        tabs = tabs "      <tab type=\"user\" visible=\"yes\" title=\"" link[1] "\" url=\"@ref page_" link[2] "\"/>\n"
        $0 = substr($0, RSTART + RLENGTH)
    }
    tabs = tabs "    </tab>\n"
    next
}
/<tab type="pages"/ { printf "%s", tabs }
/<tab type="(pages|concepts)"/ { sub(/visible="yes"/, "visible=\"no\"") }
{ print }
