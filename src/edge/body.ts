import type { IncomingMessage } from 'node:http';
import { fail } from '../contract/errors.ts';
import { Form } from './form.ts';

export const MAX_BODY_BYTES = 64 * 1024;
const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(;|$)/i;

/** Whether the request announces a body at all. */
export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return length === undefined ? headers['transfer-encoding'] !== undefined : length !== '0';
}

/** The form a request carries; undefined when its body turns out empty. */
export async function readForm(request: IncomingMessage): Promise<Form | undefined> {
  if (Number(request.headers['content-length']) > MAX_BODY_BYTES) throw fail('body_too_large');
  const bytes = await readBytes(request);
  if (bytes.length === 0) return undefined;
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = request.headers;
  if (!FORM_TYPE.test(type) || encoding.toLowerCase() !== 'identity') throw fail('unsupported_media_type');
  return new Form(bytes.toString('latin1'));
}

function readBytes(request: IncomingMessage): Promise<Buffer> {
  return new Promise((done, failed) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_BODY_BYTES) failed(fail('body_too_large'));
      else chunks.push(chunk);
    });
    request.on('end', () => done(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    request.on('error', () => failed(fail('malformed_request')));
    // Cut off before its end; making an error for every request that ends well would cost more than reading it.
    request.on('close', () => request.complete || failed(fail('malformed_request')));
  });
}
