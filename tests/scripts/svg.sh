#!/usr/bin/env bash
# Tests the sample svg: small drawings with known pixels, and invalid input.

name=svg
# shellcheck source=../support/program_test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/program_test.sh"

drawing() { # CONTENTS [ATTRIBUTES]
    printf '<svg xmlns="http://www.w3.org/2000/svg" %s>%s</svg>\n' "${2:-width=\"32\" height=\"16\"}" "$1"
}
# Checks that the device and the CPU draw the same picture.
same_as_cpu() { # NAME FILE ARGUMENTS...
    local difference=none
    "$program" "$2" --output "$1.png" "${@:3}" >"$1.out" 2>"$1.err" &&
        "$program" "$2" --cpu --output "$1.cpu.png" "${@:3}" >"$1.cpu.out" 2>"$1.cpu.err" &&
        pngtopam -alphapam "$1.png" >"$1.pam" && pngtopam -alphapam "$1.cpu.png" >"$1.cpu.pam" &&
        difference=$(pamarith -difference "$1.pam" "$1.cpu.pam" | pamsumm -max -brief)
    [[ $difference == [01] ]]
    result "$1" $? "differs by $difference $(cat "$1.err" "$1.cpu.err")"
}
# Checks that two drawings give the same picture.
same() { # NAME CONTENTS CONTENTS
    drawing "$2" >"$1.svg" && drawing "$3" >"$1.other.svg" &&
        "$program" "$1.svg" --cpu --output "$1.png" >"$1.out" 2>"$1.err" &&
        "$program" "$1.other.svg" --cpu --output "$1.other.png" >>"$1.out" 2>>"$1.err" && cmp -s "$1.png" "$1.other.png"
    result "$1" $? "$(cat "$1.err")"
}
# Checks that the report has a line that matches PATTERN.
reports() { # NAME PATTERN FILE ARGUMENTS...
    "$program" "${@:3}" >"$1.out" 2>"$1.err" && grep -qE -e "$2" "$1.out"
    result "$1" $? "$(cat "$1.out" "$1.err")"
}

drawing '<rect width="16" height="16" fill="red"/><rect x="16" width="16" height="16" style="fill: #00f"/>' >halves.svg
same_as_cpu rectangles halves.svg
reports size 'picture +32 x 16 pixels' halves.svg
reports scaled 'picture +64 x 32 pixels' halves.svg --scale 2
reports fitted 'picture +100 x 20 pixels' halves.svg --size 100x20
reports part 'picture +8 x 4 pixels' halves.svg --viewport 0,0,8,4
reports draws 'scene +2 draws, 8 segments' halves.svg
reports json '"draws": 2' halves.svg --json
for stage in measure flatten cut strips fine; do
    reports "time_of_$stage" "\"$stage\": [0-9]" halves.svg --json
done
reports bytes_per_line '"bytes_per_line": [0-9]' halves.svg --json
reports stages 'stages +measure [0-9.]+, flatten [0-9.]+, cut .* ms$' halves.svg
reports memory 'memory .* [0-9.]+ bytes per line' halves.svg
gzip -k halves.svg && mv halves.svg.gz halves.svgz
reports compressed 'scene +2 draws' halves.svgz
same_as_cpu scaled_pictures halves.svg --scale 1.5 --background '#8f8'

# Expected PNG of one color.
drawing '<rect width="32" height="16" fill="rgb(10, 20, 30)"/>' >plain.svg
"$program" plain.svg --output plain.png >/dev/null && "$program" plain.svg --cpu --output again.png >/dev/null
[[ $(head -c 8 plain.png | od -An -tx1 | tr -d ' ') == 89504e470d0a1a0a ]] && cmp -s plain.png again.png
result png $?

drawing '<defs><linearGradient id="g"><stop stop-color="red"/><stop offset="1" stop-color="blue" stop-opacity="0.5"/></linearGradient>
<clipPath id="c"><circle cx="16" cy="8" r="7"/></clipPath><mask id="m"><rect width="32" height="16" fill="url(#g)"/></mask>
<pattern id="p" width="4" height="4" patternUnits="userSpaceOnUse"><rect width="2" height="2" fill="green"/></pattern></defs>
<g opacity="0.5" clip-path="url(#c)"><rect width="32" height="16" fill="url(#g)" mask="url(#m)"/></g>
<path d="M2 2 C 10 20 20 -10 30 14" fill="none" stroke="url(#p)" stroke-width="3" stroke-dasharray="4 1" style="mix-blend-mode: multiply"/>
<use href="#u" x="3"/><symbol id="u"><ellipse cx="3" cy="3" rx="2" ry="1"/></symbol>' >all.svg
same_as_cpu all_features all.svg
same_as_cpu all_features_larger all.svg --scale 7.3

"$program" all.svg --graph all.dot --plan all.json --trace trace.json >/dev/null 2>plan.err
[[ $(head -c 7 all.dot) == digraph && $(head -c 1 all.json) == '{' && -s trace.json ]]
result plan_files $? "$(cat plan.err)"
# Elements that refer to others.
all='width="32" height="16"'
printf '<!DOCTYPE svg [<!ENTITY half "<rect width=\x2716\x27 height=\x2716\x27 fill=\x27&red;\x27/>"><!ENTITY red "#f00">]>
<svg xmlns="http://www.w3.org/2000/svg" %s>&half;<rect x="16" width="16" height="16" fill="#00f"/></svg>' "$all" >entities.svg
"$program" entities.svg --cpu --output entities.png >/dev/null 2>entities.err && cmp -s entities.png rectangles.cpu.png
result entities $? "$(cat entities.err)"
star='<path d="M16 0 L24 16 L4 6 L28 6 L8 16 Z"/>'
same clip_by_itself "<clipPath id='c' clip-path='url(#d)'>$star</clipPath><clipPath id='d' clip-path='url(#c)'>$star</clipPath>
<rect $all clip-path='url(#c)'/>" "<clipPath id='c' clip-path='url(#d)'>$star</clipPath><clipPath id='d'>$star</clipPath>
<rect $all clip-path='url(#c)'/>"
same mask_by_itself "<mask id='m' mask='url(#m)'><rect $all fill='gray'/></mask><rect $all mask='url(#m)'/>" \
    "<mask id='m'><rect $all fill='gray'/></mask><rect $all mask='url(#m)'/>"
stops='<stop stop-color="red"/><stop offset="1" stop-color="blue"/>'
same gradient_without_inverse "<linearGradient id='g' gradientTransform='matrix(1 1 1 1 0 0)'>$stops</linearGradient><rect $all fill='url(#g)'/>" ""
same flat_gradient_transform "<linearGradient id='g' gradientTransform='scale(0)'>$stops</linearGradient><rect $all fill='url(#g)'/>" \
    "<linearGradient id='g'>$stops</linearGradient><rect $all fill='url(#g)'/>"
same focal_circle_is_all "<radialGradient id='g' gradientUnits='userSpaceOnUse' cx='16' cy='8' r='8' fr='8'>$stops</radialGradient>
<rect x='12' y='4' width='8' height='8' fill='url(#g)'/>" "<rect x='12' y='4' width='8' height='8' fill='red'/>"
tiles='<pattern id="p" width="4" height="4" patternUnits="userSpaceOnUse"><rect width="2" height="2" fill="green"/></pattern>'
same context_paint "$tiles<g id='g'><rect x='4' y='4' width='16' height='8' transform='translate(1 1)' fill='context-fill'/></g>
<use href='#g' fill='url(#p)'/>" "$tiles<g id='g'/><rect x='5' y='5' width='16' height='8' fill='url(#p)'/>"
same current_color_is_inherited "<g color='red' fill='currentColor'><rect $all color='lime'/></g>" "<rect $all fill='lime'/>"
same current_color_of_a_context "<g id='g' color='red'><rect $all fill='context-fill'/></g><use href='#g' color='lime' fill='currentColor'/>" \
    "<rect $all fill='lime'/>"
same miter_limit_has_no_unit "<path d='M4 2l16 4l-16 4' stroke-width='6' stroke='red' stroke-miterlimit='5mm'/>" \
    "<path d='M4 2l16 4l-16 4' stroke-width='6' stroke='red'/>"
number=0
for color in 'rgba(0%, 100%, 0%, 100%)' 'rgb(0 255 0 / 100%)' '#0f0 icc-color(a, 1)' 'hsl(120deg, 100%, 50%)' 'hsl(0.33333334turn 100% 50%)'; do
    same "color_$((++number))" "<rect $all fill='$color'/>" "<rect $all fill='lime'/>"
done
mark='<path d="M0 0 L6 2 L0 4 Z"/></marker><path d="M16 8 h9" stroke="red"'
same marker_turns "<marker id='m' markerUnits='userSpaceOnUse' orient='0.25turn'>$mark marker-start='url(#m)'/>" \
    "<marker id='m' markerUnits='userSpaceOnUse' orient='90'>$mark marker-start='url(#m)'/>"
mark='<path d="M0 0 L6 2 L0 4 Z"/></marker><path fill="none"'
same marker_of_a_closed_path "<marker id='m' markerUnits='userSpaceOnUse' orient='auto'>$mark d='M16 4 h9 z' marker-start='url(#m)'/>" \
    "<marker id='m' markerUnits='userSpaceOnUse' orient='90'>$mark d='M16 4 h9' marker-start='url(#m)'/>"
same stops_inherit_where_they_are "<g stop-color='lime' color='lime'><linearGradient id='g' stop-color='inherit'><stop stop-color='inherit'/>
<stop offset='1' stop-color='currentColor'/></linearGradient></g><rect $all stop-color='red' color='red' fill='url(#g)'/>" \
    "<rect $all fill='lime'/>"
same crisp_edges "<g shape-rendering='crispEdges'><rect x='1.4' y='2' width='7.2' height='3'/><path d='M12.3 4.6h5' stroke='red'/></g>" \
    "<rect x='1' y='2' width='8' height='3'/><path d='M12 4.5h5' stroke='red'/>"
same plus_lighter "<g style='isolation: isolate'><rect $all fill='#800'/><rect $all fill='#0f0' style='mix-blend-mode: plus-lighter'/></g>" \
    "<rect $all fill='#8f0'/>"
same non_scaling_stroke "<linearGradient id='g' gradientUnits='userSpaceOnUse' x2='8'>$stops</linearGradient><g transform='scale(4 2)'>
<path d='M1 2h6' stroke='url(#g)' stroke-width='2' vector-effect='non-scaling-stroke'/></g>" \
    "<linearGradient id='g' gradientUnits='userSpaceOnUse' x2='32'>$stops</linearGradient><path d='M4 4h24' stroke='url(#g)' stroke-width='2'/>"
same miter_clip "<path d='M0 12h16v-10' fill='none' stroke='red' stroke-width='4' stroke-linejoin='miter-clip' stroke-miterlimit='1'/>" \
    "<path d='M0 10h14v-8h4v10.828427l-1.171573 1.171573h-16.828427z' fill='red'/>"
same optimize_speed_of_clips "<clipPath id='c' shape-rendering='optimizeSpeed'><rect x='1.4' width='9' height='9'/></clipPath><rect $all clip-path='url(#c)'/>" \
    "<rect x='1' width='9' height='9'/>"
same smooth_in_crisp "<g shape-rendering='crispEdges'><rect x='1.4' width='9' height='9' shape-rendering='geometricPrecision'/></g>" \
    "<rect x='1.4' width='9' height='9'/>"
same features "<switch><rect $all fill='red' requiredFeatures='http://www.w3.org/TR/SVG11/feature#SVGDOM'/>
<rect $all fill='lime' requiredFeatures='http://www.w3.org/TR/SVG11/feature#Shape'/></switch>" "<rect $all fill='lime'/>"
drawing '<path/>' "$all style='background-color: rgb(10, 20, 30)'" >background.svg
"$program" background.svg --cpu --output background.png >/dev/null && cmp -s background.png plain.png
result background $?
same use_moves_its_clip "<clipPath id='c'><circle r='6'/></clipPath><defs><rect id='r' $all/></defs>
<use href='#r' x='8' y='8' clip-path='url(#c)'/>" "<clipPath id='c'><circle r='6'/></clipPath><rect $all clip-path='url(#c)' transform='translate(8 8)'/>"
same tiles_are_clipped "<pattern id='p' width='8' height='8' overflow='visible' patternUnits='userSpaceOnUse'><circle cx='8' r='6'/></pattern>
<rect $all fill='url(#p)'/>" "<pattern id='p' width='8' height='8' patternUnits='userSpaceOnUse'><circle cx='8' r='6'/></pattern><rect $all fill='url(#p)'/>"
same wrong_color_leaves_others "<style>rect { fill: wrong(1); stroke: }</style><rect $all fill='lime'/>" "<rect $all fill='lime'/>"
same initial_value "<g fill='red'><rect $all fill='initial'/></g>" "<rect $all/>"
same symbol_is_displayed "<symbol id='s' display='none'><rect $all/></symbol><use href='#s'/>" "<rect $all/>"
same empty_conditions "<switch><rect requiredExtensions='' $all/><rect requiredFeatures='' $all/><unknown/><rect $all fill='lime'/></switch>" \
    "<rect $all fill='lime'/>"
same wrong_ratio "<svg $all viewBox='0 0 8 8' preserveAspectRatio='wrong'><rect width='8' height='8'/></svg>" "<rect x='8' width='16' height='16'/>"
same font_sizes "<g font-size='6pt'><rect width='2em' height='2em'/><g font-size='medium'><rect x='16' width='1em' height='1em'/></g></g>" \
    "<rect width='16' height='16'/><rect x='16' width='12' height='12'/>"
drawing "<rect $all/>" 'width="100%" height="100%"' >percent.svg
reports size_in_percent 'picture +32 x 16 pixels' percent.svg

# Encodings: an id of one Cyrillic letter.
drawing "<defs><rect id='x' $all/></defs><use href='#x'/>" >utf8.svg
"$program" utf8.svg --cpu --output utf8.png >/dev/null
for encoding in windows-1251:'\306' ISO-8859-5:'\266' KOI8-R:'\366' GB18030:'\247\250'; do
    printf '<?xml version="1.0" encoding="%s"?><svg xmlns="http://www.w3.org/2000/svg" %s><defs><rect id="%b" %s/></defs><use href="#&#x416;"/></svg>' \
        "${encoding%:*}" "$all" "${encoding#*:}" "$all" >encoded.svg
    "$program" encoded.svg --cpu --output encoded.png >/dev/null 2>encoded.err && cmp -s encoded.png utf8.png
    result "encoding_${encoding%:*}" $? "$(cat encoded.err)"
done

# Selectors of CSS: the second of three rectangles is lime.
for selector in 'rect:nth-child(3)' ':nth-child(3n)' ':nth-of-type(2n + 2)' ':nth-last-child(2)' 'rect + rect:not(#c)' 'rect:not(.a, #c)' \
    '.b' '.x\:y' '.\31 0' 'rect:not(:first-of-type):not(:last-child)' ':root > .b' ':is(.b, i)' '.a ~ :not(#c)' '[class^=b]' '[class~="x:y"]' \
    ':where(.b):empty' 'rect:hover, .b, rect::before' '#svg .b, i:only-child, .b:only-of-type, rect[class*=x]'; do
    same "selector_$((++number))" "<style>$selector { fill: lime }</style><rect class='a' width='8' height='16'/><rect class='b x:y 10' x='8' width='8' height='16'/>
<rect id='c' x='16' width='8' height='16'/>" "<style/><rect width='8' height='16'/><rect x='8' width='8' height='16' fill='lime'/><rect x='16' width='8' height='16'/>"
done
same at_rules_end_outside_of_quotes "<style>@page { content: '}'; color: url(;) } @charset 'a;b'; rect { fill: lime }</style><rect $all/>" "<rect $all fill='lime'/>"
same where_has_no_weight "<style>.a { fill: lime } :where(#a) { fill: red }</style><rect id='a' class='a' $all/>" "<rect $all fill='lime'/>"
same geometry_in_css "<style>rect { x: 4px; width: 50%; height: 12 } circle { r: 4px; cx: 24px } path { d: path('M4 8h8v8z') }</style>
<rect y='2' width='2' height='6' style='height: auto; height: 4px'/><circle cx='1' cy='4' r='9'/><path d='M0 0h99v99'/>" \
    "<rect x='4' y='2' width='16' height='4'/><circle cx='24' cy='4' r='4'/><path d='M4 8h8v8z'/>"
same variables "<style>:root { --Lime: lime; --other: var(--Lime) } #a { --w: 8px; --round: var(--round) }</style><g id='a' fill='red'>
<rect width='8' height='16' style='fill: var(--other)'/><rect x='8' height='16' style='width: var(--w); fill: var(--no, var( --Lime , red))'/>
<rect x='16' width='8' height='16' fill='var(--Lime)'/><rect x='24' width='4' height='16' style='fill: var(--round)'/>
<rect x='28' width='4' height='16' style='fill: var(--lime)'/></g>" "<rect width='8' height='16' fill='lime'/><rect x='8' width='8' height='16' fill='lime'/>
<rect x='16' width='8' height='16' fill='lime'/><rect x='24' width='4' height='16' fill='red'/><rect x='28' width='4' height='16' fill='red'/>"
same transform_in_css "<rect width='8' height='8' style='transform: translate(25%, 4px) rotate(0.25turn) scale(50%, 2) translateX(-8px) skewX(45deg)'/>" \
    "<rect width='8' height='8' transform='translate(8, 4) rotate(90) scale(.5, 2) translate(-8) skewX(45)'/>"
same transforms_in_css "<rect width='8' height='8' transform='scale(9)' style='scale: 2 1; rotate: 90deg; translate: 12px; transform: translateY(-4px)'/>" \
    "<rect width='8' height='8' transform='translate(12) rotate(90) scale(2 1) translate(0 -4)'/>"
drawing "<rect $all/>" 'width="5" height="7" style="width: 64px; height: 32px"' >css_size.svg
reports css_size 'picture +64 x 32 pixels' css_size.svg
drawing "" 'width="32" height="16" style="background: #0a141e no-repeat"' >shorthand.svg
"$program" shorthand.svg --cpu --output shorthand.png >/dev/null && cmp -s shorthand.png plain.png
result background_shorthand $?

# Images.
png=$(base64 -w 0 plain.png)
jpeg=/9j/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19iZ2hnPk1xeXBkeFxlZ2P/wAALCAAIAAgBAREA
jpeg+=/8QAFAABAAAAAAAAAAAAAAAAAAAAAP/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AP//Z
same image_png "<image $all href='data:image/png;base64,$png'/>" "<rect $all fill='rgb(10, 20, 30)'/>"
same image_of_own_size "<image href='data:image/png;base64,$png'/>" "<rect $all fill='rgb(10, 20, 30)'/>"
same image_jpeg "<image $all href='data:image/jpeg;base64,$jpeg'/>" "<rect x='8' width='16' height='16' fill='rgb(128, 128, 128)'/>"
same image_svg "<image $all href='data:image/svg+xml;base64,$(base64 -w 0 halves.svg)'/>" "$(cat halves.svg)"
same image_svg_in_percents "<image $all preserveAspectRatio='none' href='data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22
width=%222%22 height=%222%22%3E%3Crect width=%222%22 height=%222%22 fill=%22red%22/%3E%3C/svg%3E'/>" "<rect $all fill='red'/>"
png16=iVBORw0KGgoAAAANSUhEUgAAAAIAAAACEAIAAACtREYwAAAAE0lEQVR42mPg4hIRkZODkAzIHAAXOgHhWvwVuQAAAABJRU5ErkJggg==
same image_png_of_16_bits "<image $all preserveAspectRatio='none' href='data:image/png;base64,$png16'/>" "<rect $all fill='rgb(10, 20, 30)'/>"
gif=R0lGODlhAgABAIAAAP8AAAoUHiH5BAEAAAAALAAAAAACAAEAAAICDAoAOw==
webp=UklGRh4AAABXRUJQVlA4TBEAAAAvB8ABAAdQiirUo/+BiOh/AAA=
# Tests an optional format: it is drawn, or its name is in the message.
optional_format() { # FORMAT DATA CONTENTS
    drawing "<image $all image-rendering='pixelated' preserveAspectRatio='none' href='data:;base64,$2'/>" >"$1.svg"
    "$program" "$1.svg" --cpu >/dev/null 2>"$1.err"
    if grep -q "not drawn: 1 x image ($1)" "$1.err"; then
        skip_without_package "image_$1" "the build has no library for $1"
    else
        same "image_$1" "$(cat "$1.svg")" "$3"
    fi
}
optional_format GIF "$gif" "<rect width='16' height='16' fill='rgb(10, 20, 30)'/>"
optional_format WebP "$webp" "<rect $all fill='rgb(10, 20, 30)'/>"
drawing "<image href='data:;base64,$(printf 'BM123456' | base64)'/>" >bmp.svg
"$program" bmp.svg --cpu >/dev/null 2>bmp.err && grep -q 'not drawn: 1 x image (BMP)' bmp.err
result names_formats_that_are_not_drawn $? "$(cat bmp.err)"
stripes() { printf 'P2 %d 1 1' "$1"; for ((i = 0; i < $1; ++i)); do printf ' %d' $((i % 2)); done; echo; } # of one pixel each
drawing "<image width='1200' height='1' href='data:;base64,$(stripes 1200 | pnmtopng | base64 -w 0)'/>" 'width="1200" height="1"' >stripes.svg
"$program" stripes.svg --cpu --output stripes.png >stripes.out 2>&1 && cmp -s <(pngtopnm stripes.png) <(stripes 1200 | pamdepth 255 | pgmtoppm white)
result image_keeps_its_pixels $? "$(cat stripes.out)"
reports image_is_one_draw 'scene +1 draws, 4 segments' stripes.svg
mkdir -p below && cp plain.png below/a\ b.png
same image_in_file "<image $all href='below/a%20b.png'/>" "<rect $all fill='rgb(10, 20, 30)'/>"
drawing "<image href='../a.png'/><image href='$PWD/plain.png'/><image href='/dev/zero'/><image href='below'/><image href='../above.png'/>" >below/above.svg
cp plain.png above.png
"$program" below/above.svg --cpu >/dev/null 2>above.err && grep -q 'not drawn: 5 x image' above.err
result image_elsewhere $? "$(cat above.err)"
drawing "<image x='1' y='2' width='29' height='13' preserveAspectRatio='xMinYMid slice' href='data:;base64,$(base64 -w 0 all_features.png)'/>" >image.svg
same_as_cpu image_with_alpha image.svg --background white # a PNG without background divides colors by a small alpha
drawing "<image $all href='data:image/png;base64,${png:0:60}'/><image $all href='data:image/svg+xml,no'/>" >damaged.svg
"$program" damaged.svg --cpu >/dev/null 2>damaged.err && grep -q 'not drawn: 2 x image' damaged.err
result damaged_images $? "$(cat damaged.err)"
drawing '<foreignObject/><image/><foreignObject/>' >left_out.svg
"$program" left_out.svg >left_out.out 2>left_out.err && grep -q 'not drawn: 2 x foreignObject, 1 x image' left_out.err
result says_what_is_not_drawn $? "$(cat left_out.err)"
drawing "<linearGradient id='g'><stop stop-color='red'/><stop offset='1' stop-color='blue'/></linearGradient><clipPath
    id='c'><text x='2' y='15' font-size='12'>Clip</text></clipPath><rect $all fill='url(#g)' clip-path='url(#c)'/><text x='1' y='9'
    font-size='9' fill='url(#g)' stroke='green' stroke-width='.2' text-decoration='underline'>Text</text>" >text.svg
same_as_cpu text text.svg --scale 5 --background white # see image_with_alpha

# Filters.
red="<rect x='4' y='4' width='16' height='8' fill='red'"
# Checks that a filter on a red rectangle gives the same picture as other contents.
filtered() { # NAME PRIMITIVES CONTENTS [ATTRIBUTES]
    same "filter_$1" "<filter id='f' ${4-}>$2</filter>$red filter='url(#f)'/>" "$3"
}
all_user="filterUnits='userSpaceOnUse' x='0' y='0' width='32' height='16'"
moved="<rect x='8' y='4' width='16' height='8' fill='red'/>"
filtered offset "<feOffset dx='4'/>" "$moved" "$all_user"
filtered offset_in_box "<feOffset dx='25%' dy='.5'/><feOffset dx='.25'/>" "<rect x='8' y='8' width='16' height='8' fill='red'/>" \
    "$all_user primitiveUnits='objectBoundingBox'"
filtered region "<feFlood flood-color='lime'/>" "<rect x='8' y='2' width='12' height='10' fill='lime'/>" "x='25%' y='-.25' width='.75' height='125%'"
filtered usual_region "<feFlood flood-color='lime'/>" "<rect x='2' y='3' width='20' height='10' fill='lime'/>" # -10% and 120%, in whole pixels
filtered subregion "<feFlood flood-color='lime' x='5' width='25%' y='6' height='2'/>" "<rect x='5' y='6' width='8' height='2' fill='lime'/>" "$all_user"
filtered subregion_in_box "<feFlood flood-color='lime' width='25%' y='.25' height='.25'/>" "<rect x='4' y='6' width='4' height='2' fill='lime'/>" \
    "primitiveUnits='objectBoundingBox'"
filtered empty_region "<feFlood/>" "" "width='0'"
filtered by_href "" "$moved" "href='#g'/><filter id='g' $all_user><feOffset dx='4'/></filter><filter id='h'"
filtered by_a_wrong_href "" "" "href='#r'/><rect id='r'/><filter id='h'"
filtered inputs "<feOffset dx='4' result='a'/><feFlood flood-color='lime'/><feComposite in2='a' operator='in' result='b'/>
<feOffset in='SourceAlpha' dx='-4'/><feMerge><feMergeNode in='SourceGraphic'/><feMergeNode/><feMergeNode in='b'/></feMerge>" \
    "<rect x='20' y='4' width='1' height='8' fill='red'/><rect y='4' width='8' height='8'/><rect x='8' y='4' width='16' height='8' fill='lime'/>" "$all_user"
filtered unknown_inputs "<feOffset dx='4' in='none'/><feOffset in='none'/>" "$moved" "$all_user"
filtered by_nothing "<desc/>" ""
filtered merge_of_nothing "<feMerge/>" ""
same filter_of_nothing "<filter id='f' $all_user><feFlood flood-color='lime' flood-opacity='60%' width='8' height='8'/></filter><g filter='url(#f)'/>" \
    "<rect width='8' height='8' fill='lime' opacity='.6'/>"
half="<feColorMatrix values='.5 0 0 0 0 0 1 0 0 0 0 0 1 0 0 0 0 0 1 0'"
filtered in_linear_light "$half/>" "<rect x='4' y='4' width='16' height='8' fill='rgb(188, 0, 0)'/>"
filtered in_srgb "<feColorMatrix/>$half color-interpolation-filters='sRGB'/>" "<rect x='4' y='4' width='16' height='8' fill='rgb(128, 0, 0)'/>"
filtered in_inherited_srgb "$half/>" "<rect x='4' y='4' width='16' height='8' fill='rgb(128, 0, 0)'/>" "style='color-interpolation-filters: sRGB'"
filtered matrix_of_hue "<feColorMatrix type='hueRotate' values='360'/><feColorMatrix values='1 2'/>" "$red/>"
filtered matrix_of_saturation "<feColorMatrix type='saturate' values='9'/><feColorMatrix type='saturate'/>" "$red/>"
filtered transfer "<feComponentTransfer><feFuncR type='table' tableValues='1 0'/><feFuncG type='linear' intercept='.5' slope='0'/><feFuncG type='discrete'
tableValues='1 0'/><feFuncB type='gamma' amplitude='0' offset='1'/><feFuncB type='none'/></feComponentTransfer>" "<rect x='4' y='4' width='16' height='8' fill='cyan'/>"
filtered blend "<feFlood flood-color='#ff0'/><feBlend in='SourceGraphic' mode='multiply' x='4' width='16' y='4' height='8'/>" "$red/>"
filtered arithmetic "<feFlood flood-color='blue' x='4' width='16' y='4' height='8' result='a'/><feComposite in='SourceGraphic' in2='a'
operator='arithmetic' k2='1' k3='1'/>" "<rect x='4' y='4' width='16' height='8' fill='magenta'/>"
filtered tile "<feFlood flood-color='red' x='4' y='4' width='2' height='2' result='t'/><feMerge x='4' y='4' width='4' height='4'><feMergeNode in='t'/></feMerge><feTile/>" \
    "<pattern id='p' width='4' height='4' patternUnits='userSpaceOnUse'><rect width='2' height='2' fill='red'/></pattern><rect $all fill='url(#p)'/>" "$all_user"
filtered erosion "<feMorphology radius='2 1'/>" "<rect x='6' y='5' width='12' height='6' fill='red'/>"
# A flat surface and a light above it: the color of the light.
filtered diffuse "<feDiffuseLighting x='4' y='4' width='16' height='8' surfaceScale='0' lighting-color='lime'><feDistantLight elevation='90'/>
</feDiffuseLighting>" "<rect x='4' y='4' width='16' height='8' fill='lime'/>" "$all_user"
filtered specular "<feSpecularLighting x='25%' y='.25' width='.5' height='.5' surfaceScale='0' style='lighting-color: lime'
    specularConstant='.5' color-interpolation-filters='sRGB'><feDistantLight elevation='90'/></feSpecularLighting>" \
    "<rect x='8' y='6' width='8' height='4' fill='lime' opacity='.5'/>" "primitiveUnits='objectBoundingBox'"
filtered outside_of_a_cone "<feDiffuseLighting surfaceScale='0'><feSpotLight x='-30' z='2' pointsAtX='-30' limitingConeAngle='40'/>
</feDiffuseLighting>" "<rect $all/>" "$all_user"
filtered without_a_light "<feDiffuseLighting/>" ""
filtered turbulence "<feTurbulence type='fractalNoise' color-interpolation-filters='sRGB'/>" \
    "<rect $all fill='rgb(128, 128, 128)' opacity='.5'/>" "$all_user"
filtered displacement "<feFlood flood-color='red'/><feDisplacementMap in='SourceGraphic' in2='' scale='8' xChannelSelector='R'/>" \
    "<rect width='16' height='8' fill='red'/>" "$all_user"
filtered convolution "<feConvolveMatrix order='3 1' kernelMatrix='2 0 0' edgeMode='none'/>" \
    "<rect x='3' y='4' width='16' height='8' fill='red'/>" "$all_user"
filtered convolution_of_other_values "<feConvolveMatrix kernelMatrix='1 2'/>" ""
drawing "<filter id='f' primitiveUnits='objectBoundingBox'><feTurbulence baseFrequency='.1 .2' numOctaves='2' stitchTiles='stitch' result='t'/>
<feDisplacementMap in='SourceGraphic' in2='t' scale='.4'/><feConvolveMatrix kernelMatrix='1 2 1 2 4 2 1 2 1' preserveAlpha='true' result='c'/>
<feGaussianBlur in='SourceAlpha' stdDeviation='.1'/><feSpecularLighting specularExponent='9' surfaceScale='3'><feSpotLight x='.3' z='.8' pointsAtX='.5'
pointsAtY='.4' limitingConeAngle='60'/></feSpecularLighting><feComposite in='c' operator='arithmetic' k2='1' k3='1'/></filter>
<g transform='rotate(9)'>$red filter='url(#f)'/></g>" >primitives.svg
same_as_cpu filter_primitives primitives.svg --scale 3 --background white
filtered image "<feImage x='1' y='2' width='9' height='4' preserveAspectRatio='none' href='data:image/png;base64,$png'/>" \
    "<rect x='1' y='2' width='9' height='4' fill='rgb(10, 20, 30)'/>" "$all_user"
same filter_image_of_an_element "<defs fill='lime'><rect id='r' x='2' y='1' width='8' height='9'/></defs><filter id='f' $all_user>
<feImage x='4' y='2' width='20' height='9' href='#r'/></filter>$red filter='url(#f)'/>" "<rect x='6' y='3' width='8' height='8' fill='lime'/>"
same filter_image_of_itself "<filter id='f' $all_user><feImage href='#r'/></filter><g id='r' filter='url(#f)'>$red/></g>" ""
functions() { # NAME FUNCTIONS CONTENTS [CONTENTS OF DEFS]
    same "filter_function_$1" "${4-}<g style='filter: $2' color='blue'>$red/></g>" "$3"
}
functions colors 'invert() brightness(50%) contrast(1)' "<rect x='4' y='4' width='16' height='8' fill='rgb(0, 128, 128)'/>"
functions gray 'grayscale(1)' "<rect x='4' y='4' width='16' height='8' fill='rgb(54, 54, 54)'/>"
functions turns 'hue-rotate(1turn) hue-rotate(0) saturate(100%) sepia(0)' "$red/>"
functions opacity 'opacity(.6)' "$red opacity='.6'/>"
functions shadow 'drop-shadow(currentColor 8px -.25em)' "<rect x='12' y='1' width='16' height='8' fill='blue'/>$red/>"
functions none none "$red/>"
functions invalid 'invert() blur(-1px)' "$red/>"
functions unknown 'invert() nothing(1)' "$red/>"
functions link 'url(#none)' ''
functions link_and_others 'url(#none) invert()' "<rect x='4' y='4' width='16' height='8' fill='cyan'/>"
functions twice 'url(#f) url("#f")' "$moved" "<filter id='f' $all_user><feOffset dx='2'/></filter>"
clips="<clipPath id='c'><rect x='10' width='6' height='16'/></clipPath><mask id='m'><rect width='32' height='8' fill='white'/></mask>"
same filter_before_clip "$clips<filter id='f' $all_user><feOffset dx='4'/></filter><g filter='url(#f)' clip-path='url(#c)' mask='url(#m)' opacity='.6'>$red/></g>" \
    "$clips<rect x='10' y='4' width='6' height='4' fill='red' opacity='.6'/>"
same filter_of_a_tile "<filter id='f' $all_user><feOffset dx='2'/></filter><pattern id='p' width='8' height='8' patternUnits='userSpaceOnUse'>
<rect width='4' height='8' fill='red' filter='url(#f)'/></pattern><rect $all fill='url(#p)'/>" "<pattern id='p' width='8' height='8' patternUnits='userSpaceOnUse'>
<rect x='2' width='4' height='8' fill='red'/></pattern><rect $all fill='url(#p)'/>"
drawing "<filter id='f'><feConvolveMatrix order='33 1'/><feImage/></filter><g filter='url(#f)'>$red/></g>" >primitives.svg
"$program" primitives.svg --cpu >/dev/null 2>primitives.err
[[ $(sed 's/^svg: not drawn: //' primitives.err) == '1 x feConvolveMatrix, 1 x feImage' ]]
result reports_filter_primitives $? "$(cat primitives.err)"
drawing "<filter id='f'><feImage href='#b'/></filter><filter id='g'><feImage href='#a'/></filter><g id='a'>$red filter='url(#f)'/></g><g id='b'>$red
filter='url(#g)'/></g>" >images.svg
"$program" images.svg --cpu >/dev/null 2>images.err && grep -q 'not drawn: 2 x feImage$' images.err
result filter_images_of_images $? "$(cat images.err)"
filtered without_a_primitive "<feOffset dx='4'/><feConvolveMatrix order='33' result='a'/><feFlood/><feOffset in='a'/><feConvolveMatrix order='33'/>" "$moved" "$all_user"
drawing "<filter id='f'><feGaussianBlur stdDeviation='1 2' result='b'/><feDropShadow dx='2' in='SourceGraphic'/><feBlend in2='b' mode='screen'/></filter>
<g transform='rotate(9)' filter='url(#f)' opacity='.8'>$red/><circle cx='22' cy='5' r='4' style='filter: blur(1px)'/></g>" >filters.svg
same_as_cpu filters filters.svg --scale 3 --background white

# Everything that the tables of the reader name as unsupported is reported, once.
table() { sed -n "/ $1\[\] = {/,/};/p" "$root/renderers/svg/unsupported.cpp" | tr '\n' ' '; }
words() { table "$1" | grep -o '"[^"]*"' | tr -d '"'; }
expected=(@import '2 x selector of CSS' 'use of another file' 'linearGradient of another file' 'url() of another file' pathLength flowRoot
    xml-stylesheet 'color-interpolation: linearRGB of a gradient' foreignObject image 'transform: rotateX(1deg)' 'color()')
contents='<style>@import "a.css"; @media print { g { fill: red } } rect:nonsense, g::, i { fill: red }</style><use href="a.svg#a"/><path pathLength="1"/><flowPara/><flowPara>a</flowPara><?xml-stylesheet?>
<linearGradient href="a.svg#a" color-interpolation="linearRGB"/><g clip-path="url( \x27a.svg#b\x27)"/><foreignObject/><image/>
<g style="transform: rotateX(1deg)"/><g fill="color(rec2020 1 1 1)" stroke="lab(1 2 3)"/>'
while read -r word; do
    contents+="<$word/>"
    expected+=("$word")
done < <(words unknown_elements)
while read -r word; do
    contents+="<g style='fill: $word(1)'/>"
    expected+=("$word()")
done < <(words unknown_functions)
while IFS=$'\t' read -r property values; do
    read -ra list <<<"$values"
    for value in "${list[@]}"; do
        [[ $value == '*' ]] && value=1 && expected+=("$property") || expected+=("$property: ${value/%(/()}")
        contents+="<g style='$property: ${value/%(/(1)}'/>"
    done
done < <(table partial_properties | grep -oE '\{"[a-z-]+", +"[^"]+"' | sed -E 's/\{"([^"]*)", +"([^"]*)"/\1\t\2/')
{ printf '<?xml-stylesheet href="a.css"?>' && drawing "$(printf '%b' "$contents")"; } >unsupported.svg
"$program" unsupported.svg --cpu --json >unsupported.out 2>unsupported.err
sed 's/^svg: not drawn: //; s/, /\n/g' unsupported.err | sort >unsupported.lines
for one in "${expected[@]}"; do [[ $one == [0-9]* ]] && echo "$one" || echo "1 x $one"; done | sort >unsupported.expected
((${#expected[@]} > 50)) && cmp -s unsupported.lines unsupported.expected
result reports_unsupported $? "$(diff unsupported.lines unsupported.expected)"

# Invalid files.
printf 'no drawing' >none.svg
refuses no_xml 1 'none.svg: line 1' none.svg
printf '<html/>' >html.svg
refuses no_svg 1 "root element is 'html'" html.svg
printf '<svg>\n<g>\n</svg>' >open.svg
refuses open_element 1 'open.svg: line 3' open.svg
: >empty.svg
refuses empty 1 'empty.svg' empty.svg
drawing '' 'width="0" height="4"' >zero.svg
refuses no_width 1 'not positive' zero.svg
drawing '' 'width="1e20" height="4"' >wide.svg
refuses too_wide 1 'would have 1e\+20 x 4 pixels; at most 16384 ' wide.svg
head -c 40 halves.svgz >cut.svgz
refuses cut_gzip 1 'compressed data are damaged' cut.svgz
printf '<?xml version="1.0" encoding="EBCDIC-US"?><svg/>' >ebcdic.svg
refuses unknown_encoding 1 "ebcdic.svg: its encoding 'ebcdic-us' is not supported" ebcdic.svg
refuses missing 1 'missing.svg' missing.svg
refuses folder 1 '/' /
drawing '<g id="a"><use href="#a"/><use href="#b"/></g><g id="b"><use href="#a"/></g>' >round.svg
reports recursive 'scene +0 draws' round.svg
{
    printf '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect id="l0" width="1" height="1"/>'
    for i in $(seq 1 24); do printf '<g id="l%d"><use href="#l%d"/><use href="#l%d"/></g>' "$i" $((i - 1)) $((i - 1)); done
    printf '</svg>'
} >laughs.svg
refuses too_many_shapes 1 'more than 1000000 shapes' laughs.svg
printf '<!DOCTYPE svg [<!ENTITY a "&b;"><!ENTITY b "&a;">]><svg>&a;</svg>' >loop.svg
refuses entity_by_itself 1 'loop.svg: its entities' loop.svg
{
    printf '<!DOCTYPE svg [<!ENTITY l0 "laughing laughs">'
    for i in $(seq 1 15); do printf '<!ENTITY l%d "%s">' "$i" "$(printf "&l$((i - 1));%.0s" 1 2 3 4 5 6 7 8)"; done
    printf ']><svg>&l15;</svg>'
} >laughing.svg
refuses entities_too_long 1 'its entities' laughing.svg
nested() { # NUMBER START CONTENTS END
    printf "$2%.0s" $(seq "$1") && printf '%s' "$3" && printf "$4%.0s" $(seq "$1")
}
same nested_groups "$(nested 598 '<g>' "<rect $all fill='lime'/>" '</g>')" "<rect $all fill='lime'/>"
drawing "$(nested 599 '<g>' "<rect $all/>" '</g>')" >deep.svg
refuses nested_too_deeply 1 'elements are nested more than 600 deep' deep.svg
{
    printf '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect id="l0" width="1" height="1"/>'
    for i in $(seq 1 600); do printf '<g id="l%d"><use href="#l%d"/></g>' "$i" $((i - 1)); done
    printf '<use href="#l600"/></svg>'
} >chain.svg
refuses uses_nested_too_deeply 1 'elements are nested more than 600 deep' chain.svg
sed 's/<rect id="l0"[^>]*>/<g id="l0"\/>/' laughs.svg >silent_laughs.svg
refuses too_many_uses 1 'more than 1000000 shapes' silent_laughs.svg
same nested_layers "$(nested 300 '<g style="isolation: isolate">' "<rect $all fill='lime'/>" '</g>')" "<rect $all fill='lime'/>"
same nested_clips "$(nested 100 '<g clip-path="url(#c)">' "<rect $all fill='lime'/>" '</g>')<clipPath id='c'><rect x='8' width='16' height='16'/></clipPath>" \
    "<rect x='8' width='16' height='16' fill='lime'/>"
same nested_masks "$(nested 60 '<g mask="url(#m)">' "<rect $all fill='lime'/>" '</g>')<mask id='m'><rect $all fill='white'/></mask>" "<rect $all fill='lime'/>"
drawing '<pattern id="p" width="0.001" height="0.001" patternUnits="userSpaceOnUse"><rect width="1" height="1"/></pattern>
<rect width="32" height="16" fill="url(#p)"/>' >tiles.svg
same many_tiles "$(cat tiles.svg)" "<rect $all/>"
seams="<pattern id='p' width='3.3' height='3.3' patternUnits='userSpaceOnUse' patternTransform='rotate(20)'><rect width='3.3' height='3.3' fill='navy'/></pattern>"
same no_seams_between_tiles "$seams<rect $all fill='url(#p)'/>" "<rect $all fill='navy'/>"
larger="<pattern id='p' width='3.6' height='7.7' patternUnits='userSpaceOnUse'><rect width='3.6' height='7.7' fill='navy'"
same no_seams_between_larger_tiles "$larger/></pattern><rect $all fill='url(#p)'/>" "<rect $all fill='navy'/>"
same no_seams_between_larger_tiles_with_strokes "$larger stroke='navy'/></pattern><rect $all fill='url(#p)'/>" "<rect $all fill='navy'/>"
drawing "<pattern id='p' width='1e30' height='1e-30' patternUnits='userSpaceOnUse'><rect $all/></pattern><rect $all fill='url(#p)'/>
<pattern id='q' x='-1e12' width='9' height='9' patternUnits='userSpaceOnUse'><rect $all/></pattern><rect width='9' height='9' fill='url(#q)'/>" >extreme.svg
timeout 20 "$program" extreme.svg --cpu >/dev/null 2>extreme.err
result tiles_of_extreme_sizes $? "$(cat extreme.err)"
same tiles_with_opacity "$seams<rect $all fill='url(#p)' fill-opacity='0.6'/>" "<rect $all fill='navy' fill-opacity='0.6'/>"
board="<pattern id='p' width='4' height='4' patternUnits='userSpaceOnUse'><rect width='2' height='2'/><rect x='2' y='2' width='2' height='2'/></pattern>"
drawing "$board<rect $all fill='url(#p)'/>" >board.svg
reports pattern_is_one_draw 'scene +1 draws' board.svg
same tiles_have_whole_pixels "<pattern id='p' x='.5' y='8.3' width='4.2' height='3.8' patternUnits='userSpaceOnUse'><rect width='2.1' height='1.9'/>
<rect x='2.1' y='1.9' width='2.1' height='1.9'/></pattern><rect $all fill='url(#p)'/>" "$board<rect $all fill='url(#p)'/>"
same tiles_are_sharp "$board<rect $all fill='url(#p)'/>" "$(for ((y = 0; y < 16; y += 2)); do for ((x = y % 4; x < 32; x += 4)); do
    printf '<rect x="%d" y="%d" width="2" height="2"/>' $x $y; done; done)"
drawing "$board<pattern id='q' width='9' height='9' patternUnits='userSpaceOnUse'><circle cx='4' cy='4' r='4' fill='url(#p)'/>
<image x='5' y='5' width='4' height='2' href='data:image/png;base64,$png'/></pattern><image width='4' height='2' href='data:image/png;base64,$png'/>
<rect $all fill='url(#q)'/>" >nested.svg
same_as_cpu pattern_in_pattern nested.svg --scale 3 --background white
"$program" board.svg --cpu --scale 10 --viewport 0,0,4,4 --output zoomed.png >/dev/null &&
    drawing '<rect width="20" height="20"/><rect x="20" y="20" width="20" height="20"/>' 'width="40" height="40"' >large.svg &&
    "$program" large.svg --cpu --output large.png >/dev/null && cmp -s zoomed.png large.png
result tiles_have_the_resolution_of_the_picture $?
if command -v script >/dev/null; then # on a terminal
    script -qec "'$program' halves.svg" /dev/null </dev/null | tr '\r' '\n' >tty.out
    grep -qE 'compiling and drawing \.\.\. [0-9]+\.[0-9] s' tty.out && ! grep -q 'compiling.* %' tty.out
    result says_that_it_compiles $? "$(cat -v tty.out)"
else
    skip_without_package says_that_it_compiles "the program script is not installed"
fi
refuses too_large 1 'at most 16384' halves.svg --scale 1000
refuses too_many_samples 1 'at most 4096 are supported with --samples 16' halves.svg --size 5000x10 --samples 16
drawing '<path d="M0 0L40 17V0ZM0 0L40 17V40H0Z"/>' 'width="40" height="40"' >together.svg
drawing '<path d="M0 0L40 17V0Z"/><path d="M0 0L40 17V40H0Z"/>' 'width="40" height="40"' >apart.svg
for samples in 1 16; do
    for name in together apart; do
        "$program" $name.svg --cpu --samples $samples --output $name$samples.png >/dev/null
    done
done
cmp -s together16.png apart16.png && ! cmp -s together1.png apart1.png
result samples_leave_no_line_at_a_shared_edge $?
same_as_cpu samples_on_both apart.svg --samples 4

# Invalid command lines.
refuses no_file 2 'FILE is missing'
refuses two_sizes 2 'size' halves.svg --size 10
refuses no_size 2 'size' halves.svg --size 0x5
refuses size_above_the_limit 2 "--size takes WIDTHxHEIGHT, each from 1 to 16384, not '100000x100000'" halves.svg --size 100000x100000
refuses tolerance_below_the_limit 2 "--tolerance takes a number from 0.001 to 100, not '0'" halves.svg --tolerance 0
refuses samples_of_another_number 2 "--samples takes 1, 4 or 16, not '8'" halves.svg --samples 8
refuses output_of_another_format 2 "--output writes PNG, but 'x.jpg' does not end with .png" halves.svg --output x.jpg
refuses frames_without_window 2 '--frames needs --window' halves.svg --frames 2
refuses swapchain_without_window 2 '--srgb-swapchain needs --window' halves.svg --srgb-swapchain
refuses no_scale 2 'scale' halves.svg --scale 0
refuses no_color 2 'background' halves.svg --background nocolor
refuses no_viewport 2 'viewport' halves.svg --viewport 1,2,0,4
refuses unknown 2 'nonsense' halves.svg --nonsense
refuses cpu_plan 2 'cpu excludes --graph' halves.svg --cpu --graph x.dot
cp halves.svg kept.svg
refuses output_is_input 2 'kept.svg' kept.svg --output kept.svg
refuses output_is_input_by_link 2 'kept.svg' kept.svg --output ./kept.svg
check leaves_input_alone cmp halves.svg kept.svg
refuses no_folder 1 'nowhere' halves.svg --output nowhere/x.png
