import type { Transform } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import type { Received } from './body.ts';

export type Encoding = 'br' | 'gzip';

/** Runs on zlib's own threads. Quality 5 gets most of brotli's gain in milliseconds; the highest takes seconds. */
export const compress: Readonly<Record<Encoding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) =>
    promisify(brotliCompress)(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
  gzip: (bytes) => promisify(gzip)(bytes),
};

const CHUNK_BYTES = 128 * 1024;

/** The same for bodies that are compressed while they are made. */
export const compressor: Readonly<Record<Encoding, () => Transform>> = {
  br: () => createBrotliCompress({ chunkSize: CHUNK_BYTES, params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: () => createGzip({ chunkSize: CHUNK_BYTES }),
};

/** Node joins a repeated header into one text; only its type says otherwise. */
export function acceptEncodingOf({ headers }: Pick<Received, 'headers'>): string | undefined {
  const sent = headers['accept-encoding'];
  return typeof sent === 'string' ? sent : undefined;
}

/** The best encoding `Accept-Encoding` allows: brotli, unless the client prefers gzip. */
export function acceptedEncoding(header: string | undefined): Encoding | undefined {
  if (header === undefined) return undefined;
  const weights = new Map(
    header.split(',').map((part) => {
      const [name = '', ...parameters] = part.toLowerCase().split(';');
      const q = parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1]).find(Boolean);
      return [name.trim(), q === undefined ? 1 : Number(q)];
    }),
  );
  const weight = (name: Encoding) => weights.get(name) ?? weights.get('*') ?? 0;
  if (weight('br') > 0 && weight('br') >= weight('gzip')) return 'br';
  return weight('gzip') > 0 ? 'gzip' : undefined;
}
