import { inflateSync } from 'node:zlib';

const SIGNATURE = '89504e470d0a1a0a';
/** Samples per pixel, by colour type. */
const SAMPLES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const MAX_UNPACKED_BYTES = 32 * 1024 * 1024;
const LAST_FILTER = 4;

/**
 * Whether pdfkit can draw this PNG. It unpacks pictures with transparency on its own time and throws where nobody catches it, so this is
 * found out before. It depends on the file alone, so a document has its logo always or never.
 */
export function isDrawablePng(file: Buffer): boolean {
  try {
    return hasWholePicture(file);
  } catch {
    return false;
  }
}

function hasWholePicture(file: Buffer): boolean {
  if (file.toString('hex', 0, 8) !== SIGNATURE || file.toString('latin1', 12, 16) !== 'IHDR') return false;
  const [width, height] = [file.readUInt32BE(16), file.readUInt32BE(20)];
  const [depth = 0, colorType = 0, , , interlace = 0] = file.subarray(24, 29);
  const samples = SAMPLES[colorType];
  const chunks = chunksOf(file);
  const hasPalette = chunks.some(({ type }) => type === 'PLTE');
  if (samples === undefined || width === 0 || height === 0 || interlace !== 0 || (colorType === 3 && !hasPalette))
    return false;
  const row = 1 + Math.ceil((width * depth * samples) / 8);
  if (row * height > MAX_UNPACKED_BYTES) return false;
  const packed = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data));
  const pixels = inflateSync(packed, { maxOutputLength: row * height });
  if (pixels.length !== row * height) return false;
  for (let at = 0; at < pixels.length; at += row) if ((pixels[at] ?? 0) > LAST_FILTER) return false;
  return true;
}

function chunksOf(file: Buffer): { type: string; data: Buffer }[] {
  const chunks: { type: string; data: Buffer }[] = [];
  for (let at = 8; ; ) {
    const length = file.readUInt32BE(at);
    const type = file.toString('latin1', at + 4, at + 8);
    if (at + 12 + length > file.length) throw new Error('the file ends too early');
    chunks.push({ type, data: file.subarray(at + 8, at + 8 + length) });
    if (type === 'IEND') return chunks;
    at += 12 + length;
  }
}
