// Each renderer draws a document of a known size over white. `text` is the document, `file` is a file with the same contents.

import { execFileSync } from 'node:child_process';
import path from 'node:path';

import { drawRecorded, record } from './canvaskit.mjs';
import { folder, require } from './packages.mjs';
import { readPng } from './pictures.mjs';

const { Resvg } = require('@resvg/resvg-js');

const resvgOptions = { font: { loadSystemFonts: false }, background: 'white' };
const run = (program, args) => execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], timeout: 60000 });
const output = path.join(folder, 'drawn.png');

const versionOf = (name) => `${name} ${require(`${name}/package.json`).version}`;
export const versions = process.env.RSVG_CONVERT
    ? [run(process.env.RSVG_CONVERT, ['--version']).trim(), versionOf('@resvg/resvg-js'), versionOf('canvaskit-wasm')]
    : [];

// Returns the size in pixels, as read by resvg.
export function sizeOf(text) {
    const { width, height } = new Resvg(text, resvgOptions);
    return { width, height };
}

function weir(args) {
    return JSON.parse(run(process.env.WEIR_SVG, ['--cpu', '--json', ...args]));
}

export const renderers = {
    weir: ({ file }) => {
        weir([file, '--background', 'white', '--output', output]);
        return readPng(output);
    },
    librsvg: ({ file }) => {
        run(process.env.RSVG_CONVERT, ['--background-color', 'white', '--output', output, file]);
        return readPng(output);
    },
    resvg: ({ text }) => {
        const { width, height, pixels } = new Resvg(text, resvgOptions).render();
        return { width, height, data: new Uint8Array(pixels) };
    },
    skia: ({ text, width, height }) => {
        const picture = record(new Resvg(text, resvgOptions).toString(), width, height);
        const drawn = drawRecorded(picture, width, height).picture;
        picture.delete();
        return drawn;
    },
};

// Draws a document with transparent pixels, at a given size.
export function drawAsReference(file, width, height) {
    weir([file, '--size', `${width}x${height}`, '--output', output]);
    return readPng(output);
}

// Returns the milliseconds from a parsed document to pixels, in one thread: the minimum of `repeat` runs.
export const timers = {
    weir: ({ file }, repeat) => Math.min(...Array.from({ length: repeat }, () => weir([file, '--threads', '1']).ms)),
    resvg: ({ text }, repeat) => {
        const read = new Resvg(text, resvgOptions);
        return Math.min(
            ...Array.from({ length: repeat }, () => {
                const start = performance.now();
                read.render();
                return performance.now() - start;
            }),
        );
    },
    skia: ({ text, width, height }, repeat) => {
        const picture = record(new Resvg(text, resvgOptions).toString(), width, height);
        return Math.min(...drawRecorded(picture, width, height, repeat).times);
    },
};
