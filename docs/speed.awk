# Draws docs/speed.svg from the CSV files of weir_bench --peers: throughput of Weir and of CUB, both axes logarithmic.
#
#     awk -F , -f docs/speed.awk FILES >docs/speed.svg
#
# The title says by how much Weir is faster from 2^16 elements on, which is computed from the same rows.

function log2(x) { return log(x) / log(2) }
function x_at(n) { return left + (log2(n) - 10) / 18 * (width - left - right) }
function y_at(rate) { return height - bottom - (log(rate) - log(least)) / (log(most) - log(least)) * (height - top - bottom) }
function text(x, y, anchor, class, what) {
    printf "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" class=\"%s\">%s</text>\n", x, y, anchor, class, what
}
function curve(op, impl, class, label, below,    n, points) {
    points = ""
    for (n = 1024; n <= 2 ^ 28; n *= 4) {
        if ((op, impl, n) in rate) {
            points = points sprintf("%.1f,%.1f ", x_at(n), y_at(rate[op, impl, n]))
            printf "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" class=\"dot %s\"/>\n", x_at(n), y_at(rate[op, impl, n]), class
        }
    }
    printf "<polyline class=\"line %s\" points=\"%s\"/>\n", class, points
    text(width - right + 8, y_at(rate[op, impl, 2 ^ 28]) + below, "start", class, label)
}

$2 == "u32" && ($1 == "inclusive_scan" || $1 == "radix_sort_keys" || $1 == "copy") && ($4 == "\"weir\"" || $4 == "\"cub\"") {
    gsub(/"/, "", $4)
    rate[$1, $4, $3 + 0] = $3 / $5 * 1e3
}

END {
    width = 860; height = 480; left = 70; right = 150; top = 70; bottom = 60
    least = 0.05e9; most = 1000e9
    low = 1e9; high = 0
    for (n = 2 ^ 16; n <= 2 ^ 28; n *= 16) {
        split("inclusive_scan radix_sort_keys", ops, " ")
        for (i = 1; i <= 2; ++i) {
            ratio = rate[ops[i], "weir", n] / rate[ops[i], "cub", n]
            low = ratio < low ? ratio : low
            high = ratio > high ? ratio : high
        }
    }
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"14\">\n", width, height
    print "<style>"
    print ".page { fill: #ffffff } .title { fill: #111; font-size: 17px; font-weight: bold } .note, .tick { fill: #555 }"
    print ".grid { stroke: #ddd } .line { fill: none; stroke-width: 2.5 }"
    print "text.weir { fill: #0a58ca } .line.weir { stroke: #0a58ca } .dot.weir { fill: #0a58ca }"
    print "text.cub { fill: #b35900 } .line.cub { stroke: #b35900; stroke-dasharray: 7 5 } .dot.cub { fill: #b35900 }"
    print "text.copy { fill: #777 } .line.copy { stroke: #999; stroke-width: 1.5 } .dot.copy { fill: #999 }"
    print "@media (prefers-color-scheme: dark) {"
    print ".page { fill: #0d1117 } .title { fill: #eee } .note, .tick { fill: #aaa } .grid { stroke: #2b3138 }"
    print "text.weir { fill: #6cb0ff } .line.weir { stroke: #6cb0ff } .dot.weir { fill: #6cb0ff }"
    print "text.cub { fill: #ffa657 } .line.cub { stroke: #ffa657 } .dot.cub { fill: #ffa657 }"
    print "text.copy { fill: #999 } .line.copy { stroke: #777 } .dot.copy { fill: #777 }"
    print "}"
    print "</style>"
    print "<rect width=\"100%\" height=\"100%\" class=\"page\"/>"
    text(left - 40, 26, "start", "title", sprintf("From 2^16 numbers on, Weir scans and sorts %.1f to %.1f times as fast as CUB", low, high))
    text(left - 40, 48, "start", "note", "u32 on an NVIDIA H100; billions of numbers per second. Weir: Vulkan. CUB 3.6: CUDA.")
    for (e = 10; e <= 28; e += 2) {
        printf "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"grid\"/>\n", x_at(2 ^ e), y_at(least), x_at(2 ^ e), y_at(most)
        text(x_at(2 ^ e), height - bottom + 22, "middle", "tick", "2^" e)
    }
    for (g = 0.1; g <= 1000; g *= 10) {
        printf "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"grid\"/>\n", x_at(1024), y_at(g * 1e9), x_at(2 ^ 28), y_at(g * 1e9)
        text(left - 10, y_at(g * 1e9) + 5, "end", "tick", g)
    }
    text(x_at(2 ^ 19), height - 14, "middle", "note", "numbers")
    curve("copy", "weir", "copy", "copy", -4)
    curve("inclusive_scan", "cub", "cub", "scan, CUB", 14)
    curve("inclusive_scan", "weir", "weir", "scan, Weir", 6)
    curve("radix_sort_keys", "cub", "cub", "sort of keys, CUB", 14)
    curve("radix_sort_keys", "weir", "weir", "sort of keys, Weir", -2)
    print "</svg>"
}
