# Draws docs/speed.svg from the CSV files of weir_bench --peers: how many times as fast as CUB Weir is. Both axes are logarithmic.
#
#     awk -F , -f docs/speed.awk FILES >docs/speed.svg
#
# The title has the range of scans and sorts of keys from 2^16 elements on, which is computed from the same rows.

function log2(x) { return log(x) / log(2) }
function x_at(n) { return left + (log2(n) - 12) / 16 * (width - left - right) }
function y_at(ratio) { return height - bottom - (log(ratio) - log(least)) / (log(most) - log(least)) * (height - top - bottom) }
function ratio(op, n) { return us[op, "cub", n] / us[op, "weir", n] }
function text(x, y, anchor, class, what) {
    printf "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" class=\"%s\">%s</text>\n", x, y, anchor, class, what
}
function line(x1, y1, x2, y2, class) {
    printf "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"%s\"/>\n", x1, y1, x2, y2, class
}
function add(op, label, light, dark) {
    ops[++count] = op
    labels[count] = label
    lights[count] = light
    darks[count] = dark
}
function curve(i,    n, points) {
    points = ""
    for (n = 2 ^ 12; n <= 2 ^ 28; n *= 16) {
        points = points sprintf("%.1f,%.1f ", x_at(n), y_at(ratio(ops[i], n)))
        printf "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" class=\"dot%d\"/>\n", x_at(n), y_at(ratio(ops[i], n)), i
    }
    printf "<polyline class=\"line line%d\" points=\"%s\"/>\n", i, points
}

$2 == "u32" && ($4 == "\"weir\"" || $4 == "\"cub\"") {
    gsub(/"/, "", $4)
    us[$1, $4, $3 + 0] = $5
}

END {
    width = 860; height = 480; left = 70; right = 180; top = 80; bottom = 60
    least = 0.75; most = 2.1
    add("inclusive_scan", "inclusive sum", "#0a58ca", "#6cb0ff")
    add("radix_sort_keys", "sort of keys", "#b35900", "#ffa657")
    add("radix_sort_pairs", "sort with values", "#8250df", "#d2a8ff")
    add("select_if", "selection", "#1a7f37", "#56d364")
    add("reduce_by_key", "reduction by key", "#57606a", "#adbac7")
    add("merge", "merge", "#cf222e", "#ff7b72")
    low = 1e9; high = 0
    for (i = 1; i <= 2; ++i) {
        for (n = 2 ^ 16; n <= 2 ^ 28; n *= 16) {
            low = ratio(ops[i], n) < low ? ratio(ops[i], n) : low
            high = ratio(ops[i], n) > high ? ratio(ops[i], n) : high
        }
    }
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"14\">\n", width, height
    print "<style>"
    print ".page { fill: #ffffff } .title { fill: #111; font-size: 17px; font-weight: bold } .note, .tick { fill: #555 }"
    print ".grid { stroke: #ddd } .even { stroke: #555; stroke-width: 1.5; stroke-dasharray: 7 5 } .line { fill: none; stroke-width: 2.5 }"
    for (i = 1; i <= count; ++i) {
        printf "text.op%d, .dot%d { fill: %s } .line%d { stroke: %s }\n", i, i, lights[i], i, lights[i]
    }
    print "@media (prefers-color-scheme: dark) {"
    print ".page { fill: #0d1117 } .title { fill: #eee } .note, .tick { fill: #aaa } .grid { stroke: #2b3138 } .even { stroke: #aaa }"
    for (i = 1; i <= count; ++i) {
        printf "text.op%d, .dot%d { fill: %s } .line%d { stroke: %s }\n", i, i, darks[i], i, darks[i]
    }
    print "}"
    print "</style>"
    print "<rect width=\"100%\" height=\"100%\" class=\"page\"/>"
    text(left - 40, 26, "start", "title", sprintf("From 2^16 numbers on, Weir scans and sorts keys %.1f to %.1f times as fast as CUB", low, high))
    text(left - 40, 48, "start", "note", "Time of CUB 3.6 (CUDA) over time of Weir (Vulkan); u32 on an NVIDIA H200. Above 1 Weir is faster.")
    for (e = 12; e <= 28; e += 4) {
        line(x_at(2 ^ e), y_at(least), x_at(2 ^ e), y_at(most), "grid")
        text(x_at(2 ^ e), height - bottom + 22, "middle", "tick", "2^" e)
    }
    ticks = split("0.8 1 1.25 1.5 2", tick, " ")
    for (i = 1; i <= ticks; ++i) {
        line(x_at(2 ^ 12), y_at(tick[i]), x_at(2 ^ 28), y_at(tick[i]), tick[i] == 1 ? "even" : "grid")
        text(left - 10, y_at(tick[i]) + 5, "end", "tick", tick[i])
    }
    text(x_at(2 ^ 20), height - 14, "middle", "note", "numbers")
    for (i = count; i >= 1; --i) {
        curve(i)
    }
    # Labels from the top down, each at least a line below the one before it.
    last = 0
    for (placed = 1; placed <= count; ++placed) {
        best = 0
        for (i = 1; i <= count; ++i) {
            if (!(i in done) && (best == 0 || ratio(ops[i], 2 ^ 28) > ratio(ops[best], 2 ^ 28))) {
                best = i
            }
        }
        done[best]
        y = y_at(ratio(ops[best], 2 ^ 28)) + 5
        y = y < last + 18 ? last + 18 : y
        last = y
        text(width - right + 10, y, "start", "op" best, sprintf("%s, %.2f", labels[best], ratio(ops[best], 2 ^ 28)))
    }
    print "</svg>"
}
