import { crc32, deflateSync } from 'node:zlib';
import { encode } from 'uqr';

/** Modules of white around the code, which scanners need. */
const QUIET = 4;
/** Pixels across, at least: twice as many as it is shown with, for sharp screens. */
const LEAST_SIDE = 440;
const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/** A QR code as a picture of black and white pixels: mail programs show no SVG. */
export function qrImage(text: string): Buffer {
  const { data, size } = encode(text, { border: QUIET, ecc: 'M' });
  const scale = Math.ceil(LEAST_SIDE / size);
  const side = size * scale;
  const lines = data.flatMap((row) => {
    // Each line begins with its filter (none); then eight pixels a byte, the first one highest, white being 1.
    const line = Buffer.alloc(1 + Math.ceil(side / 8));
    for (let x = 0; x < side; x++)
      if (!row[Math.floor(x / scale)]) line[1 + (x >> 3)] = (line[1 + (x >> 3)] as number) | (0x80 >> (x & 7));
    return Array<Buffer>(scale).fill(line);
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  // One bit of grey.
  header[8] = 1;
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(lines))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
