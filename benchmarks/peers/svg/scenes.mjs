// Scenes: files of Debian's packages, prepared so that all renderers draw the same contents at the same size.

import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';

function filesUnder(folder) {
    return fs
        .readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && /\.svgz?$/.test(entry.name))
        .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))
        .sort();
}

// If a collection has the same file twice, one of them is used.
function spread(files, count) {
    const sizes = new Set();
    const different = files.filter((file) => {
        const key = `${path.basename(file)} ${fs.statSync(file).size}`;
        return !sizes.has(key) && sizes.add(key);
    });
    return Array.from({ length: count }, (_, i) => different[Math.floor((i * different.length) / count)]);
}

export function findScenes(packages) {
    const clipart = path.join(packages, 'openclipart-svg/usr/share/openclipart/svg');
    const w3c = path.join(packages, 'librsvg2-tests/usr/libexec/installed-tests/RSVG/fixtures/reftests/svg1.1');
    const tiger = path.join(packages, 'inkscape/usr/share/inkscape/examples/tiger.svgz');
    const named = (group, folder) => (file) => ({ group, name: path.relative(folder, file), file });
    return [
        { group: 'tiger', name: 'tiger.svgz', file: tiger },
        ...spread(filesUnder(clipart), 300).map(named('openclipart', clipart)),
        ...filesUnder(w3c).filter((file) => !file.includes('resources')).map(named('W3C', w3c)),
    ];
}

// Timed scenes: the size, and the part of the drawing (1: all, 32: its middle, enlarged 32 times).
export function timedScenes(packages) {
    const clipart = path.join(packages, 'openclipart-svg/usr/share/openclipart/svg');
    const tiger = path.join(packages, 'inkscape/usr/share/inkscape/examples/tiger.svgz');
    return [
        { name: 'tiger', file: tiger, width: 1024, height: 1448, zoom: 1 },
        { name: 'hummer_01', file: `${clipart}/transportation/vehicles/hummers/hummer_01.svg`, width: 2048, height: 1897, zoom: 1 },
        { name: 'world_map_02', file: `${clipart}/geography/world_map_02.svg`, width: 2048, height: 2048, zoom: 1 },
        { name: 'tiger, 32 times as large', file: tiger, width: 1024, height: 1448, zoom: 32 },
    ];
}

export function readScene(file) {
    const bytes = fs.readFileSync(file);
    return (bytes[0] === 0x1f ? zlib.gunzipSync(bytes) : bytes).toString('utf8');
}

// Removes text, images and filters: renderers have different fonts, and Weir draws none of these. Adds a namespace to a root without
// one, as in old files, because resvg rejects them.
export function withoutOthers(text) {
    const attributes = `(?:[^>"']|"[^"]*"|'[^']*')*?`;
    return text
        .replace(new RegExp(`<svg(?=\\s)(?!${attributes}\\sxmlns=)`), '<svg xmlns="http://www.w3.org/2000/svg"')
        .replace(new RegExp(`<((?:\\w+:)?(?:text|flowRoot|image|foreignObject))\\b${attributes}(?:/>|>[^]*?</\\1\\s*>)`, 'g'), '')
        .replace(/\bfilter\s*=\s*("[^"]*"|'[^']*')/g, '')
        .replace(/([;"'{\s])filter\s*:[^;"'}]*/g, '$1');
}

// Returns the document with another size of its root, and another part of the drawing.
export function sized(text, size, width, height, zoom = 1) {
    return text.replace(/<(svg|svg:svg)\b((?:[^>"']|"[^"]*"|'[^']*')*?)(\/?)>/, (_, name, attributes, end) => {
        const found = attributes.match(/\bviewBox\s*=\s*["']([^"']*)["']/);
        let box = found ? found[1].trim().split(/[\s,]+/).map(Number) : [0, 0, size.width, size.height];
        if (zoom !== 1) {
            const part = [box[2] / zoom, box[3] / zoom];
            box = [box[0] + (box[2] - part[0]) / 2, box[1] + (box[3] - part[1]) / 2, ...part];
        }
        const kept = attributes.replace(/\s(width|height|viewBox)\s*=\s*("[^"]*"|'[^']*')/g, '');
        return `<${name} width="${width}" height="${height}" viewBox="${box.join(' ')}"${kept}${end}>`;
    });
}
