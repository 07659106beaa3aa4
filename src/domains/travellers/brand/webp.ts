import { Refused } from '../../../platform/contract/refused.ts';
import { requireFits } from './png.ts';

/** Pictures with transparency beside lossy colours need this header; everything else in it (profiles, animation) is switched off. */
const ALPHA = 0x10;

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

const broken = (): Refused => new Refused('invalid_logo', 'this WebP file is damaged or animated');

export const isWebp = (file: Buffer): boolean =>
  file.toString('latin1', 0, 4) === 'RIFF' && file.toString('latin1', 8, 12) === 'WEBP';

/** The same picture, written again from the chunks a picture needs. What follows the end of the picture is dropped. */
export function cleanWebp(file: Buffer): Buffer {
  const chunks = chunksOf(file);
  const only = (wanted: string) => {
    const found = chunks.filter(({ type }) => type === wanted);
    if (found.length > 1) throw broken();
    return found[0];
  };
  if (only('ANIM') || chunks.some(({ type }) => type === 'ANMF')) throw broken();
  const [lossy, lossless, alpha] = [only('VP8 '), only('VP8L'), only('ALPH')];
  const frame = lossy ?? lossless;
  if (!frame || (lossy && lossless) || (lossless && alpha)) throw broken();
  const size = lossy ? lossySize(lossy.data) : losslessSize(frame.data);
  if (size.width === 0 || size.height === 0) throw broken();
  requireFits(size.width, size.height);
  const kept = alpha ? [{ type: 'VP8X', data: header(size) }, alpha, frame] : [frame];
  const body = Buffer.concat([Buffer.from('WEBP', 'latin1'), ...kept.map(written)]);
  return Buffer.concat([Buffer.from('RIFF', 'latin1'), uint32(body.length), body]);
}

function chunksOf(file: Buffer): Chunk[] {
  const end = 8 + file.readUInt32LE(4);
  if (end > file.length) throw broken();
  const chunks: Chunk[] = [];
  for (let at = 12; at < end; ) {
    if (at + 8 > end) throw broken();
    const length = file.readUInt32LE(at + 4);
    if (at + 8 + length > end) throw broken();
    chunks.push({ type: file.toString('latin1', at, at + 4), data: file.subarray(at + 8, at + 8 + length) });
    at += 8 + length + (length % 2);
  }
  return chunks;
}

/** The frame header of VP8: a key frame with its start code, then 14 bits for each side. */
function lossySize(data: Buffer): Size {
  if (data.length < 10 || ((data[0] ?? 1) & 1) !== 0 || data.readUIntBE(3, 3) !== 0x9d012a) throw broken();
  return { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff };
}

/** A signature, then 14 bits for each side less one, and three bits of version that must be 0. */
function losslessSize(data: Buffer): Size {
  if (data.length < 5 || data[0] !== 0x2f) throw broken();
  const bits = data.readUInt32LE(1);
  if (bits >>> 29 !== 0) throw broken();
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

function header({ width, height }: Size): Buffer {
  const data = Buffer.alloc(10);
  data[0] = ALPHA;
  data.writeUIntLE(width - 1, 4, 3);
  data.writeUIntLE(height - 1, 7, 3);
  return data;
}

const written = ({ type, data }: Chunk): Buffer =>
  Buffer.concat([Buffer.from(type, 'latin1'), uint32(data.length), data, Buffer.alloc(data.length % 2)]);

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
