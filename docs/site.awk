# Doxygen's filter for the files that docs/Doxyfile names. It rewrites what Doxygen 1.9.4 does not read as a forge does.
#
# Pages: headings get the anchors that a forge gives them, with the name of the page before them. Links to pages, anchors
# and examples become links within the site. The comment before a block of code becomes a link after it, to the program. A
# page with more than two sections gets a table of contents.
# Headers: each gets a page. Friend declarations are removed, except comparisons: Doxygen's links to them are dead.

# docs/scan.md -> scan
function name_of(path) {
    sub(/.*\//, "", path)
    sub(/\.md$/, "", path)
    return path
}

# Returns the anchor that a forge gives to a heading: the second heading of a name gets "-1".
function anchor_of(heading) {
    while (match(heading, /\]\([^)]*\)/)) # the text of a link stays
        heading = substr(heading, 1, RSTART - 1) substr(heading, RSTART + RLENGTH)
    heading = tolower(heading)
    gsub(/[^a-z0-9 _-]/, "", heading)
    gsub(/ /, "-", heading)
    return seen[heading]++ ? heading "-" seen[heading] - 1 : heading
}

# Returns the page that Doxygen makes of a program in examples/.
function example_page(path) {
    gsub(/\//, "_2", path)
    gsub(/\./, "_8", path)
    return path "-example.html"
}

# Returns the target of a link for Doxygen. A folder of examples/ stands for its main.cpp.
function target_of(link,    hash) {
    if (link ~ /^\.\.\/examples\//) {
        sub(/^\.\.\/examples\//, "", link)
        return example_page(link ~ /\./ ? link : link "/main.cpp")
    }
    if (link !~ /^([A-Za-z0-9_.\/]+\.md)?(#|$)/)
        return link
    hash = index(link, "#")
    if (!hash)
        return "@ref " (name_of(link) == "index" ? "index" : "page_" name_of(link))
    return "@ref " name_of(hash == 1 ? FILENAME : substr(link, 1, hash - 1)) "-" substr(link, hash + 1)
}

# Rewrites the targets of the links in a line. A picture becomes a link to itself in full size.
function with_links(line,    done, link, picture) {
    if (line ~ /^!\[.*\]\([^()]*\)$/) {
        split(substr(line, 3, length(line) - 3), picture, /\]\(/) # alternative text, file
        return "<a class=\"picture\" href=\"" picture[2] "\"><img src=\"" picture[2] "\" alt=\"" picture[1] "\"/></a>"
    }
    while (match(line, /\]\([^() ]+\)/)) {
        link = substr(line, RSTART + 2, RLENGTH - 3)
        done = done substr(line, 1, RSTART + 1) target_of(link) ")"
        line = substr(line, RSTART + RLENGTH)
    }
    return done line
}

# Doxygen takes "'" for the end of code, and does not find code in bold text.
function with_code(line,    parts, count, i, done) {
    gsub(/\*\*`/, "<b>`", line)
    gsub(/`\*\*/, "`</b>", line)
    count = split(line, parts, /`/)
    if (count % 2 == 0 || line ~ /``/)
        return line
    for (i = 1; i <= count; ++i)
        done = done (i % 2 ? parts[i] : (parts[i] ~ /'/ ? "``" parts[i] "``" : "`" parts[i] "`"))
    return done
}

BEGIN {
    while ((getline line < ARGV[1]) > 0)
        sections += line ~ /^## /
}

FNR == 1 {
    is_page = FILENAME ~ /\.md$/
    is_header = FILENAME ~ /\/include\//
}
is_header && FNR == 1 { $0 = "/** @file */ " $0 }
is_header && /^ *friend .*;/ && !/operator==/ { $0 = "" }
!is_page { print; next }

/^```/ {
    print
    inside = !inside
    if (!inside && program)
        printf "\n<div class=\"program\"><a href=\"%s\">%s</a></div>\n\n", example_page(program), program
    if (!inside)
        program = ""
    next
}
inside { print; next }
/^<!-- example: / { program = $3; next }
/^#+ / {
    heading = $0
    sub(/^#+ /, "", heading)
    if (!/^# /)
        $0 = $0 " {#" name_of(FILENAME) "-" anchor_of(heading) "}"
    else if (name_of(FILENAME) != "index")
        $0 = $0 " {#page_" name_of(FILENAME) "}" (sections > 2 ? "\n\n[TOC]\n" : "")
    print
    next
}
{ print with_code(with_links($0)) }
