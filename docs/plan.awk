# Makes of a plan in Graphviz's language (Plan::dot) a picture that fits a page: top-down, with colours by kind.

function coloured(color) { sub(/\[/, "[style=filled, color=\"#555555\", fillcolor=\"" color "\", ") }

/rankdir/ { sub(/rankdir="?LR"?/, "rankdir=TB") }
/shape=box/ {
    if (/dispatch arguments/) { coloured("#e8e8e8") } # a pass of the graph's own
    else { coloured("#cfe2ff") }
}
/shape=ellipse/ {
    if (/\\nimport,/) { coloured("#d3f0d3") }
    else if (/\\nexport,/) { coloured("#ffe2b8") }
    else { coloured("#ead9f7") } # what lasts from one execution to the next
}
{ print }
NR == 1 {
    print "  graph [rankdir=TB, bgcolor=white, ranksep=0.35, nodesep=0.25, fontname=\"sans-serif\", fontsize=10];"
    print "  node [fontname=\"sans-serif\", fontsize=11, height=0.3, margin=\"0.12,0.05\"];"
    print "  edge [color=\"#555555\", arrowsize=0.7];"
}
