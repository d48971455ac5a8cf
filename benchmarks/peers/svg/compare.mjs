// compare.mjs scenes PACKAGES RESULT | times PACKAGES | suite FOLDER: see compare.sh, which provides the packages.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { folder } from './packages.mjs';
import { contactSheet, difference, readPng, writePng } from './pictures.mjs';
import { drawAsReference, renderers, sizeOf, timers, versions } from './renderers.mjs';
import { findScenes, readScene, sized, timedScenes, withoutOthers } from './scenes.mjs';

const side = 512; // pixels of the longer side of a scene
const mean = (numbers) => numbers.reduce((a, b) => a + b, 0) / numbers.length;
const names = Object.keys(renderers);
const pairs = names.flatMap((a, i) => names.slice(i + 1).map((b) => [a, b]));
const row = (cells) => `| ${cells.join(' | ')} |\n`;

function made(text, width, height, zoom = 1) {
    const scene = { text: sized(text, sizeOf(text), width, height, zoom), width, height, file: path.join(folder, 'scene.svg') };
    fs.writeFileSync(scene.file, scene.text);
    return scene;
}

function readyScene(file) {
    const text = withoutOthers(readScene(file));
    const size = sizeOf(text);
    const scale = side / Math.max(size.width, size.height);
    return made(text, Math.max(1, Math.round(size.width * scale)), Math.max(1, Math.round(size.height * scale)));
}

function compareScenes(packages, result) {
    const compared = [];
    const left = [];
    for (const { group, name, file } of findScenes(packages)) {
        let at = 'resvg';
        try {
            const scene = readyScene(file);
            const drawn = {};
            for (at of names) {
                drawn[at] = renderers[at](scene);
            }
            const distances = pairs.map(([a, b]) => difference(drawn[a], drawn[b]).mean);
            const those = (wanted) => mean(distances.filter((_, i) => pairs[i].includes('weir') === wanted));
            compared.push({ group, name, file, distances, weir: those(true), references: those(false) });
        } catch (error) {
            left.push(`${group}/${name}: ${at}: ${String(error.message ?? error).split('\n')[0]}`);
        }
        process.stderr.write(`\r${compared.length + left.length} scenes `);
    }
    process.stderr.write('\n');
    const heads = pairs.map(([a, b]) => `${a}, ${b}`);
    let csv = `group,name,${heads.map((head) => head.replace(', ', '-')).join(',')}\n`;
    for (const { group, name, distances } of compared) {
        csv += `${group},"${name}",${distances.map((distance) => distance.toFixed(3)).join(',')}\n`;
    }
    fs.writeFileSync(`${result}.csv`, csv);

    const picture = path.basename(result);
    let text = `# The sample svg, librsvg, resvg and Skia

Weir draws on the CPU. ${versions.join(', ')}; ${os.cpus()[0].model.trim()}, ${os.cpus().length} cores that others use too.

## Differences

Mean absolute difference of components in 255ths, over white, the longer side ${side} pixels. weir is the mean of Weir's distances to the
others, references the mean of the distances of these among themselves.

`;
    text += row(['scenes', 'number', ...heads, 'weir', 'references', 'ratio']);
    text += row(Array.from({ length: heads.length + 5 }, () => '---'));
    for (const group of [...new Set(compared.map((scene) => scene.group)), 'all']) {
        const scenes = compared.filter((scene) => group === 'all' || scene.group === group);
        const weir = mean(scenes.map((scene) => scene.weir));
        const references = mean(scenes.map((scene) => scene.references));
        const each = pairs.map((_, i) => mean(scenes.map(({ distances }) => distances[i])));
        text += row([group, scenes.length, ...[...each, weir, references].map((v) => v.toFixed(3)), (weir / references).toFixed(2)]);
    }
    text += `\nAll scenes are in [${picture}.csv](${picture}.csv).\n`;
    const worst = compared.sort((a, b) => b.weir - b.references - (a.weir - a.references)).slice(0, 5);
    text += `\n![The worst five](${picture}.png)\n\nThe worst five, from above; from left to right ${names.join(', ')}:\n\n`;
    worst.forEach(({ group, name, weir, references }) => {
        text += `- ${group}/${name}: ${weir.toFixed(2)}, references ${references.toFixed(2)}\n`;
    });
    if (left.length !== 0) {
        text += `\nNot compared, since one of the programs does not draw it:\n\n${left.map((line) => `- ${line}\n`).join('')}`;
    }
    fs.writeFileSync(`${result}.md`, text);
    const rows = worst.map(({ file }) => names.map((name) => renderers[name](readyScene(file))));
    writePng(`${result}.png`, contactSheet(rows, 120));
    process.stdout.write(text);
}

function timeScenes(packages) {
    process.stdout.write('\n## Times\n\nFrom a document that is read to pixels, in one thread, the least of 15.\n\n');
    process.stdout.write(row(['scene', 'pixels', ...Object.keys(timers).map((name) => `${name}, ms`)]));
    process.stdout.write(row(Array.from({ length: 5 }, () => '---')));
    for (const { name, file, width, height, zoom } of timedScenes(packages)) {
        const scene = made(withoutOthers(readScene(file)), width, height, zoom);
        const times = Object.values(timers).map((timer) => timer(scene, 15).toFixed(1));
        process.stdout.write(row([name, `${width} x ${height}`, ...times]));
    }
}

// A file passes where at most 1.5 % of its pixels differ by more than 32 in a component, and the mean difference is at most 2.
function compareSuite(suite) {
    const failed = new Map();
    let passed = 0;
    let all = 0;
    const files = fs.readdirSync(suite, { recursive: true }).filter((name) => name.endsWith('.svg')).sort();
    for (const name of files) {
        const reference = path.join(suite, name.replace(/svg$/, 'png'));
        if (!fs.existsSync(reference)) {
            continue;
        }
        ++all;
        let why = '';
        try {
            const wanted = readPng(reference);
            const { mean: distance, far } = difference(wanted, drawAsReference(path.join(suite, name), wanted.width, wanted.height));
            why = far <= 0.015 && distance <= 2 ? '' : `${(100 * far).toFixed(1)} % of pixels, mean ${distance.toFixed(1)}`;
        } catch {
            why = 'refused';
        }
        if (why === '') {
            ++passed;
            continue;
        }
        const feature = path.dirname(name);
        failed.set(feature, [...(failed.get(feature) ?? []), `${path.basename(name, '.svg')} (${why})`]);
    }
    process.stdout.write('\n## Pictures of a test suite\n\nA file passes where at most 1.5 % of its pixels differ by more than 32 of 255 in a ');
    process.stdout.write('premultiplied\ncomponent, and the mean difference is at most 2, at the size of the reference.\n\n');
    process.stdout.write(`${passed} of ${all} files pass: ${((100 * passed) / all).toFixed(1)} %\n\n`);
    for (const [feature, list] of failed) {
        process.stdout.write(`- ${feature}, ${list.length}: ${list.join(', ')}\n`);
    }
}

const [what, ...rest] = process.argv.slice(2);
({ scenes: compareScenes, times: timeScenes, suite: compareSuite })[what](...rest);
