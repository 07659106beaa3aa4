import { crc32, deflateSync } from 'node:zlib';

export const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

export function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

export function header(width: number, height: number, more = [8, 2, 0, 0, 0]): Buffer {
  const sides = Buffer.alloc(8);
  sides.writeUInt32BE(width);
  sides.writeUInt32BE(height, 4);
  return chunk('IHDR', Buffer.concat([sides, Buffer.from(more)]));
}

export const pixels = (width: number, height: number): Buffer =>
  chunk('IDAT', deflateSync(Buffer.alloc(height * (width * 3 + 1))));
export const end = chunk('IEND', Buffer.alloc(0));

/** A black rectangle. */
export const pngOf = (width: number, height: number): Buffer =>
  Buffer.concat([SIGNATURE, header(width, height), pixels(width, height), end]);
