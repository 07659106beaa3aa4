import { crc32, createInflate } from 'node:zlib';
import { Refused, TooManyAttempts } from '../../../platform/contract/refused.ts';
import { bounded } from '../../../platform/limits/turns.ts';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
/** What a picture needs. Everything else (texts, profiles, animation, private chunks) is left out. */
const KEPT = ['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'];
const MAX_SIDE = 2_000;
/** A logo is shown 40 pixels high. At 8 bytes per pixel, the most a PNG has, this many are 8 MB. */
const MAX_PIXELS = 1_000_000;
/** Unpacked data arrives on the main thread in pieces of this size, and is only counted. */
const PIECE_BYTES = 64 * 1024;
const BUSY_RETRY_SECONDS = 5;
/** One picture is unpacked at a time: zlib runs on the few threads that password hashes and file reads need too. */
const inTurn = bounded({ atOnce: 1, maxWaiting: 20 }, () => new TooManyAttempts(BUSY_RETRY_SECONDS));
/** Samples per pixel, by colour type, and the bit depths it may have. */
const COLOR_TYPES: Readonly<Record<number, { samples: number; depths: readonly number[] }>> = {
  0: { samples: 1, depths: [1, 2, 4, 8, 16] },
  2: { samples: 3, depths: [8, 16] },
  3: { samples: 1, depths: [1, 2, 4, 8] },
  4: { samples: 2, depths: [8, 16] },
  6: { samples: 4, depths: [8, 16] },
};

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

export const LOGO_TYPES = ['image/png', 'image/webp'] as const;

export interface Logo {
  readonly type: (typeof LOGO_TYPES)[number];
  readonly bytes: Buffer;
}

export const MAX_LOGO_BYTES = 100 * 1024;

/** The logo as it will be stored. */
export async function requireLogo(file: Buffer): Promise<Logo> {
  if (file.length > MAX_LOGO_BYTES) throw new Refused('logo_too_large', 'the logo may have at most 100 kB');
  if (file.subarray(0, 8).equals(SIGNATURE)) return { type: 'image/png', bytes: await cleanPng(file) };
  if (/^RIFF....WEBP/s.test(file.toString('latin1', 0, 12))) return { type: 'image/webp', bytes: checkedWebp(file) };
  throw new Refused('invalid_logo', 'the logo must be a PNG or WebP file; if yours is an SVG, export it as PNG');
}

const broken = (): Refused => new Refused('invalid_logo', 'this file is damaged or animated');

/** The file up to its end. Its header has the size of the picture, which browsers hold the picture to. */
function checkedWebp(file: Buffer): Buffer {
  const end = 8 + file.readUInt32LE(4);
  if (file.length < 30 || end > file.length) throw broken();
  const [width, height] = webpSize(file);
  if (width === 0 || height === 0) throw broken();
  requireFits(width, height);
  return file.subarray(0, end);
}

function webpSize(file: Buffer): readonly [width: number, height: number] {
  const kind = file.toString('latin1', 12, 16);
  const isAnimated = kind === 'VP8X' && (file.readUInt8(20) & 2) !== 0;
  if (kind === 'VP8X' && !isAnimated) return [file.readUIntLE(24, 3) + 1, file.readUIntLE(27, 3) + 1];
  if (kind === 'VP8 ' && file.readUIntBE(23, 3) === 0x9d012a)
    return [file.readUInt16LE(26) & 0x3fff, file.readUInt16LE(28) & 0x3fff];
  const bits = file.readUInt32LE(21);
  if (kind === 'VP8L' && file[20] === 0x2f && bits >>> 29 === 0)
    return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1];
  throw broken();
}

/** The same picture, written again from the chunks a picture needs. What follows the end of the picture is dropped. */
async function cleanPng(file: Buffer): Promise<Buffer> {
  const chunks = chunksOf(file).filter(({ type }) => KEPT.includes(type));
  await requirePicture(chunks);
  return Buffer.concat([SIGNATURE, ...chunks.map(written)]);
}

function requireFits(width: number, height: number): void {
  if (width > MAX_SIDE || height > MAX_SIDE)
    throw new Refused('logo_too_large', `the logo may be at most ${MAX_SIDE} pixels wide and high`);
  if (width * height > MAX_PIXELS)
    throw new Refused(
      'logo_too_large',
      `the logo has ${width} × ${height} pixels; it may have at most a million, such as 1000 × 1000 or 2000 × 500`,
    );
}

function chunksOf(file: Buffer): Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = SIGNATURE.length; ; ) {
    if (at + 12 > file.length) throw broken();
    const length = file.readUInt32BE(at);
    const end = at + 12 + length;
    if (end > file.length || crc32(file.subarray(at + 4, end - 4)) !== file.readUInt32BE(end - 4)) throw broken();
    const type = file.toString('latin1', at + 4, at + 8);
    chunks.push({ type, data: file.subarray(at + 8, end - 4) });
    if (type === 'IEND') return chunks;
    at = end;
  }
}

async function requirePicture(chunks: readonly Chunk[]): Promise<void> {
  const order = chunks.map(({ type }) => type).join(' ');
  if (!/^IHDR (PLTE )?(tRNS )?(IDAT )+IEND$/.test(order)) throw broken();
  const header = chunks[0]?.data;
  if (header?.length !== 13) throw broken();
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const [depth = 0, colorType = 0, compression, filter, interlace = 0] = header.subarray(8);
  const color = COLOR_TYPES[colorType];
  if (!color?.depths.includes(depth) || compression !== 0 || filter !== 0 || interlace > 1) throw broken();
  if (width === 0 || height === 0) throw broken();
  requireFits(width, height);
  // An interlaced picture has the filter bytes of seven passes.
  const rows = interlace === 1 ? height * 4 : height;
  const bytes = Math.ceil((width * depth * color.samples) / 8) * height + rows + (interlace === 1 ? width * 8 : 0);
  const data = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map((chunk) => chunk.data));
  const unpacked = await inTurn(() => unpackedBytes(data, bytes));
  if (unpacked > bytes || (interlace === 0 && unpacked < bytes)) throw broken();
}

/** How many bytes the compressed data has, without keeping them; it stops counting above `max`. */
async function unpackedBytes(data: Buffer, max: number): Promise<number> {
  const inflate = createInflate({ chunkSize: PIECE_BYTES });
  inflate.end(data);
  let bytes = 0;
  try {
    for await (const piece of inflate as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes > max) break;
    }
  } catch {
    throw broken();
  }
  return bytes;
}

function written({ type, data }: Chunk): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
