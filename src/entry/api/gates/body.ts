import { fail } from '../../../platform/contract/failure.ts';
import { BodyTooLong, readBody } from '../../../platform/http/body.ts';
import { Form } from '../../../platform/http/form.ts';
import type { Received } from '../../../platform/http/received.ts';

const MAX_BODY_BYTES = 64 * 1024;
const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(;|$)/i;

/** Fields that have an error of their own for text that cannot be decoded. Any other refuses the request. */
const TOLERATED = ['idempotency_key', 'reference'];

/** The fields of a query or a body. */
export const apiForm = (text: string): Form => new Form(text, TOLERATED);

/** Whether a body is JSON although it was sent as a form: `curl -d '{…}'` does that. */
export const looksLikeJson = (text: string): boolean => /^\s*([{[]|%7b|%5b)/i.test(text);

/** The text of the form a request carries, one character per byte; empty when there is none. */
export async function readFormText(request: Received): Promise<string> {
  if (Number(request.headers['content-length']) > MAX_BODY_BYTES) throw fail('body_too_large');
  const bytes = await readBody(request, MAX_BODY_BYTES).catch((error) => {
    throw fail(error instanceof BodyTooLong ? 'body_too_large' : 'malformed_request');
  });
  if (bytes.length === 0) return '';
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = request.headers;
  if (!FORM_TYPE.test(type) || encoding.toLowerCase() !== 'identity') throw fail('unsupported_media_type');
  return bytes.toString('latin1');
}
