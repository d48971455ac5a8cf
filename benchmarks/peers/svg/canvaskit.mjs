// Draws with Skia (CanvasKit). CanvasKit cannot read SVG, so it draws the simplified document that resvg writes. That contains only
// groups, paths, gradients, patterns, clip paths and masks. Styles, uses and markers are resolved.

import { require } from './packages.mjs';

const kit = await require('canvaskit-wasm/bin/canvaskit.js')();

// Parses XML into a tree of { name, attributes, children }. Simple, because the documents are written by a program.
function parse(text) {
    const root = { children: [] };
    const open = [root];
    for (const [, end, name, attributes, closed] of text.matchAll(/<(\/?)([\w:]+)((?:\s+[\w:-]+="[^"]*")*)\s*(\/?)>/g)) {
        if (end) {
            open.pop();
            continue;
        }
        const node = { name, attributes: {}, children: [] };
        for (const [, key, value] of attributes.matchAll(/([\w:-]+)="([^"]*)"/g)) {
            node.attributes[key] = value;
        }
        open.at(-1).children.push(node);
        if (!closed) {
            open.push(node);
        }
    }
    return root.children[0];
}

const matrixOf = (text) => {
    const v = text ? text.match(/[-+.\deE]+/g).slice(-6).map(Number) : [1, 0, 0, 1, 0, 0];
    return [v[0], v[2], v[4], v[1], v[3], v[5], 0, 0, 1];
};
const idOf = (text) => text?.match(/url\(#(.*)\)/)?.[1];
const number = (value, usual) => (value === undefined ? usual : Number(value));
const blends = {
    multiply: 'Multiply', screen: 'Screen', overlay: 'Overlay', darken: 'Darken', lighten: 'Lighten', 'color-dodge': 'ColorDodge',
    'color-burn': 'ColorBurn', 'hard-light': 'HardLight', 'soft-light': 'SoftLight', difference: 'Difference', exclusion: 'Exclusion',
    hue: 'Hue', saturation: 'Saturation', color: 'Color', luminosity: 'Luminosity',
};

class Drawer {
    constructor(root) {
        this.ids = new Map();
        const visit = (node) => {
            if (node.attributes.id) {
                this.ids.set(node.attributes.id, node);
            }
            node.children.forEach(visit);
        };
        visit(root);
    }

    path(node) {
        const path = kit.Path.MakeFromSVGString(node.attributes.d);
        const rule = node.attributes['fill-rule'] ?? node.attributes['clip-rule'];
        path.setFillType(rule === 'evenodd' ? kit.FillType.EvenOdd : kit.FillType.Winding);
        return path;
    }

    // Left, top, right, bottom of all shapes, without strokes.
    box(node) {
        if (node.name === 'path') {
            return [...this.path(node).computeTightBounds()];
        }
        let all = null;
        for (const child of node.children.filter(({ name }) => name === 'g' || name === 'path')) {
            const box = this.box(child);
            if (box) {
                const to = matrixOf(child.attributes.transform);
                const corners = kit.Matrix.mapPoints(to, [box[0], box[1], box[2], box[1], box[0], box[3], box[2], box[3]]);
                const xs = corners.filter((_, i) => i % 2 === 0);
                const ys = corners.filter((_, i) => i % 2 === 1);
                all ??= [Infinity, Infinity, -Infinity, -Infinity];
                all = [Math.min(all[0], ...xs), Math.min(all[1], ...ys), Math.max(all[2], ...xs), Math.max(all[3], ...ys)];
            }
        }
        return all;
    }

    unitBox(node) {
        const [left, top, right, bottom] = this.box(node) ?? [0, 0, 1, 1];
        return [right - left, 0, left, 0, bottom - top, top, 0, 0, 1];
    }

    gradient(server, node) {
        const a = server.attributes;
        const linked = (a['xlink:href'] ?? a.href)?.slice(1);
        const stops = (linked ? this.ids.get(linked) : server).children;
        const colors = stops.map((stop) =>
            kit.parseColorString(stop.attributes['stop-color']).map((c, i) => (i === 3 ? number(stop.attributes['stop-opacity'], 1) : c)),
        );
        const offsets = stops.map((stop) => number(stop.attributes.offset, 0));
        const mode = { reflect: kit.TileMode.Mirror, repeat: kit.TileMode.Repeat }[a.spreadMethod] ?? kit.TileMode.Clamp;
        let matrix = matrixOf(a.gradientTransform);
        if (a.gradientUnits !== 'userSpaceOnUse') {
            matrix = kit.Matrix.multiply(this.unitBox(node), matrix);
        }
        const at = (x, y, usual) => [number(a[x], usual), number(a[y], usual)];
        if (server.name === 'linearGradient') {
            return kit.Shader.MakeLinearGradient(at('x1', 'y1', 0), at('x2', 'y2', 0), colors, offsets, mode, matrix);
        }
        const center = at('cx', 'cy', 0.5);
        const focus = [number(a.fx, center[0]), number(a.fy, center[1])];
        return kit.Shader.MakeTwoPointConicalGradient(focus, number(a.fr, 0), center, number(a.r, 0.5), colors, offsets, mode, matrix);
    }

    pattern(server, node) {
        const a = server.attributes;
        const unit = this.unitBox(node);
        let [x, y, width, height] = ['x', 'y', 'width', 'height'].map((name) => number(a[name], 0));
        if (a.patternUnits !== 'userSpaceOnUse') {
            [x, y, width, height] = [unit[2] + x * unit[0], unit[5] + y * unit[4], width * unit[0], height * unit[4]];
        }
        const recorder = new kit.PictureRecorder();
        const canvas = recorder.beginRecording(kit.XYWHRect(x, y, width, height));
        if (a.viewBox) {
            const box = a.viewBox.split(' ').map(Number);
            canvas.translate(x, y);
            let scale = [width / box[2], height / box[3]];
            const [align, meet] = (a.preserveAspectRatio ?? 'xMidYMid meet').split(' ');
            if (align !== 'none') {
                const one = meet === 'slice' ? Math.max(...scale) : Math.min(...scale);
                scale = [one, one];
                const part = (text) => ({ Min: 0, Mid: 0.5, Max: 1 })[text];
                canvas.translate((width - box[2] * one) * part(align.slice(1, 4)), (height - box[3] * one) * part(align.slice(5, 8)));
            }
            canvas.scale(...scale);
            canvas.translate(-box[0], -box[1]);
        } else {
            canvas.translate(x, y);
            if (a.patternContentUnits === 'objectBoundingBox') {
                canvas.scale(unit[0], unit[4]);
            }
        }
        this.drawChildren(canvas, server);
        const picture = recorder.finishRecordingAsPicture();
        const { Repeat } = kit.TileMode;
        return picture.makeShader(Repeat, Repeat, kit.FilterMode.Linear, matrixOf(a.patternTransform), kit.XYWHRect(x, y, width, height));
    }

    paint(node, which) {
        const a = node.attributes;
        const value = a[which] ?? (which === 'fill' ? '#000000' : 'none');
        if (value === 'none') {
            return null;
        }
        const paint = new kit.Paint();
        paint.setAntiAlias(a['shape-rendering'] !== 'crispEdges' && a['shape-rendering'] !== 'optimizeSpeed');
        const server = this.ids.get(idOf(value));
        if (server) {
            paint.setShader(server.name === 'pattern' ? this.pattern(server, node) : this.gradient(server, node));
        } else {
            paint.setColor(kit.parseColorString(value));
        }
        paint.setAlphaf(number(a[`${which}-opacity`], 1));
        if (which === 'stroke') {
            paint.setStyle(kit.PaintStyle.Stroke);
            paint.setStrokeWidth(number(a['stroke-width'], 1));
            paint.setStrokeMiter(number(a['stroke-miterlimit'], 4));
            paint.setStrokeCap({ round: kit.StrokeCap.Round, square: kit.StrokeCap.Square }[a['stroke-linecap']] ?? kit.StrokeCap.Butt);
            paint.setStrokeJoin({ round: kit.StrokeJoin.Round, bevel: kit.StrokeJoin.Bevel }[a['stroke-linejoin']] ?? kit.StrokeJoin.Miter);
            if (a['stroke-dasharray']) {
                const dashes = a['stroke-dasharray'].split(/[\s,]+/).map(Number);
                paint.setPathEffect(kit.PathEffect.MakeDash(dashes, number(a['stroke-dashoffset'], 0)));
            }
        }
        return paint;
    }

    drawPath(canvas, node) {
        const path = this.path(node);
        const paints = [this.paint(node, 'fill'), this.paint(node, 'stroke')];
        if (node.attributes['paint-order']?.startsWith('stroke')) {
            paints.reverse();
        }
        paints.filter(Boolean).forEach((paint) => canvas.drawPath(path, paint));
    }

    // Keeps only the part of the layer below that is covered by the layer drawn by `content`.
    keep(canvas, content, filter) {
        const paint = new kit.Paint();
        paint.setBlendMode(kit.BlendMode.DstIn);
        if (filter) {
            paint.setColorFilter(filter);
        }
        canvas.saveLayer(paint);
        content();
        canvas.restore();
    }

    clip(canvas, clip, node) {
        this.keep(canvas, () => {
            canvas.save();
            canvas.concat(matrixOf(clip.attributes.transform));
            if (clip.attributes.clipPathUnits === 'objectBoundingBox') {
                canvas.concat(this.unitBox(node));
            }
            this.drawChildren(canvas, clip);
            canvas.restore();
            const next = this.ids.get(idOf(clip.attributes['clip-path']));
            if (next) {
                this.clip(canvas, next, node);
            }
        });
    }

    mask(canvas, mask, node) {
        const a = mask.attributes;
        const filter = a['mask-type'] === 'alpha' ? null : kit.ColorFilter.MakeLuma();
        this.keep(canvas, () => {
            const unit = this.unitBox(node);
            canvas.save();
            let rect = ['x', 'y', 'width', 'height'].map((name, i) => number(a[name], i < 2 ? -0.1 : 1.2));
            if (a.maskUnits !== 'userSpaceOnUse') {
                rect = [unit[2] + rect[0] * unit[0], unit[5] + rect[1] * unit[4], rect[2] * unit[0], rect[3] * unit[4]];
            }
            canvas.clipRect(kit.XYWHRect(...rect), kit.ClipOp.Intersect, true);
            if (a.maskContentUnits === 'objectBoundingBox') {
                canvas.concat(unit);
            }
            this.drawChildren(canvas, mask);
            canvas.restore();
            const next = this.ids.get(idOf(a.mask));
            if (next) {
                this.mask(canvas, next, node);
            }
        }, filter);
    }

    draw(canvas, node) {
        const a = node.attributes;
        if ((node.name !== 'g' && node.name !== 'path') || a.visibility === 'hidden') {
            return;
        }
        canvas.save();
        canvas.concat(matrixOf(a.transform));
        const clip = this.ids.get(idOf(a['clip-path']));
        const mask = this.ids.get(idOf(a.mask));
        const blend = blends[a.style?.match(/mix-blend-mode:\s*([\w-]+)/)?.[1]];
        const isLayer = clip || mask || blend || a.opacity !== undefined || /isolate/.test(a.style ?? '');
        if (isLayer) {
            const paint = new kit.Paint();
            paint.setAlphaf(number(a.opacity, 1));
            paint.setBlendMode(kit.BlendMode[blend ?? 'SrcOver']);
            canvas.saveLayer(paint);
        }
        if (node.name === 'path') {
            this.drawPath(canvas, node);
        } else {
            this.drawChildren(canvas, node);
        }
        if (clip) {
            this.clip(canvas, clip, node);
        }
        if (mask) {
            this.mask(canvas, mask, node);
        }
        if (isLayer) {
            canvas.restore();
        }
        canvas.restore();
    }

    drawChildren(canvas, node) {
        node.children.forEach((child) => this.draw(canvas, child));
    }
}

// Records the drawing of the document, so only Skia's own work is timed.
export function record(document, width, height) {
    const root = parse(document);
    const recorder = new kit.PictureRecorder();
    const canvas = recorder.beginRecording(kit.XYWHRect(0, 0, width, height));
    const box = (root.attributes.viewBox ?? `0 0 ${width} ${height}`).split(' ').map(Number);
    const scale = Math.min(width / box[2], height / box[3]);
    canvas.translate((width - box[2] * scale) / 2, (height - box[3] * scale) / 2);
    canvas.scale(scale, scale);
    canvas.translate(-box[0], -box[1]);
    new Drawer(root).drawChildren(canvas, root);
    return recorder.finishRecordingAsPicture();
}

export function drawRecorded(picture, width, height, repeat = 1) {
    const surface = kit.MakeSurface(width, height);
    const times = [];
    for (let i = 0; i < repeat; ++i) {
        const start = performance.now();
        surface.getCanvas().clear(kit.WHITE);
        surface.getCanvas().drawPicture(picture);
        surface.flush();
        times.push(performance.now() - start);
    }
    const info = { width, height, colorType: kit.ColorType.RGBA_8888, alphaType: kit.AlphaType.Unpremul, colorSpace: kit.ColorSpace.SRGB };
    const data = new Uint8Array(surface.makeImageSnapshot().readPixels(0, 0, info));
    surface.delete();
    return { picture: { width, height, data }, times };
}
