// Pictures are { width, height, data } with premultiplied components of one byte each.

import fs from 'node:fs';

import { require } from './packages.mjs';

const { PNG } = require('pngjs');

export function premultiplied({ width, height, data }) {
    for (let i = 0; i < data.length; i += 4) {
        const alpha = data[i + 3];
        if (alpha !== 255) {
            for (let c = i; c < i + 3; ++c) {
                data[c] = Math.round((data[c] * alpha) / 255);
            }
        }
    }
    return { width, height, data };
}

export const readPng = (file) => premultiplied(PNG.sync.read(fs.readFileSync(file)));

// Takes opaque pictures only.
export function writePng(file, { width, height, data }) {
    const png = new PNG({ width, height });
    png.data = Buffer.from(data);
    fs.writeFileSync(file, PNG.sync.write(png, { colorType: 2 }));
}

// Returns the mean absolute difference of components in 255ths, and the part of pixels with a component that differs by more than 32.
export function difference(a, b) {
    if (a.width !== b.width || a.height !== b.height) {
        return { mean: 255, far: 1 };
    }
    let sum = 0;
    let far = 0;
    for (let i = 0; i < a.data.length; i += 4) {
        let most = 0;
        for (let c = i; c < i + 4; ++c) {
            const one = Math.abs(a.data[c] - b.data[c]);
            sum += one;
            most = Math.max(most, one);
        }
        far += most > 32 ? 1 : 0;
    }
    return { mean: sum / a.data.length, far: far / (a.width * a.height) };
}

// Returns rows of pictures. Each picture is averaged and fitted into a square of `side` pixels.
export function contactSheet(rows, side) {
    const gap = 4;
    const width = rows[0].length * (side + gap) + gap;
    const height = rows.length * (side + gap) + gap;
    const data = new Uint8Array(width * height * 4).fill(255);
    for (let i = 0; i < data.length; i += 4) {
        data.fill(128, i, i + 3);
    }
    rows.forEach((row, y) =>
        row.forEach((picture, x) => {
            const scale = Math.max(picture.width, picture.height) / side;
            const left = gap + x * (side + gap);
            const top = gap + y * (side + gap);
            for (let v = 0; v < Math.floor(picture.height / scale); ++v) {
                for (let u = 0; u < Math.floor(picture.width / scale); ++u) {
                    const color = average(picture, u * scale, v * scale, (u + 1) * scale, (v + 1) * scale);
                    data.set(color, ((top + v) * width + left + u) * 4);
                }
            }
        }),
    );
    return { width, height, data };
}

function average(picture, left, top, right, bottom) {
    const sum = [0, 0, 0, 0];
    let count = 0;
    for (let y = Math.floor(top); y < Math.max(Math.floor(bottom), Math.floor(top) + 1); ++y) {
        for (let x = Math.floor(left); x < Math.max(Math.floor(right), Math.floor(left) + 1); ++x) {
            const at = (y * picture.width + x) * 4;
            sum.forEach((_, c) => (sum[c] += picture.data[at + c]));
            ++count;
        }
    }
    return sum.map((value) => Math.round(value / count));
}
