import type { IncomingMessage } from 'node:http';
import { acceptEncodingOf, acceptedEncoding, compress } from '../../../platform/http/compression.ts';
import type { SiteReply } from '../routes.ts';

/** Shorter answers fit into one packet as they are. */
const WORTH_COMPRESSING_BYTES = 1024;

/**
 * The answer, compressed if that saves something. The length of a compressed answer can reveal a secret in it to an attacker who
 * controls another part of it and observes the connection (BREACH). So answers to changes, which return keys, links and the
 * request's input, stay plain, and so do answers to cross-site requests; those carry no session anyway, because the cookie is
 * SameSite=Strict.
 */
export async function compressed(request: IncomingMessage, reply: SiteReply): Promise<SiteReply> {
  const { body, headers = {} } = reply;
  const site = request.headers['sec-fetch-site'];
  if (request.method !== 'GET' || (site !== undefined && site !== 'same-origin')) return reply;
  if (typeof body !== 'string' && !Buffer.isBuffer(body)) return reply;
  if (body.length < WORTH_COMPRESSING_BYTES || headers['content-encoding']) return reply;
  const encoding = acceptedEncoding(acceptEncodingOf(request));
  if (encoding === undefined) return reply;
  const bytes = await compress[encoding](typeof body === 'string' ? Buffer.from(body) : body);
  return { ...reply, body: bytes, headers: { ...headers, 'content-encoding': encoding, vary: 'accept-encoding' } };
}
