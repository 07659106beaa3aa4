import { phpJson, signatureOf } from '../../../domains/messages/airalo/airalo.ts';
import { fail } from '../../../platform/contract/failure.ts';
import { BodyTooLong, type Received, readBody } from '../../../platform/http/body.ts';
import type { Form } from '../../../platform/http/form.ts';
import { isSame } from '../../../platform/vault/secrets.ts';
import { apiForm } from '../gates/api-request.ts';

/** What a client sent: by name, as JSON has it. A form has texts, and lists of texts. */
export type Payload = Readonly<Record<string, unknown>>;

const MAX_BYTES = 64 * 1024;
const FORMS = /^(application\/x-www-form-urlencoded|multipart\/form-data)\s*(;|$)/i;
const JSON_TYPE = /^application\/json\s*(;|$)/i;

/** Airalo's documents send forms, its clients JSON or forms. */
export async function readPayload(request: Received): Promise<Payload> {
  const bytes = await readBody(request, MAX_BYTES).catch((error) => {
    throw fail(error instanceof BodyTooLong ? 'body_too_large' : 'malformed_request');
  });
  const { 'content-type': type = '' } = request.headers;
  if (bytes.length === 0) return {};
  if (JSON_TYPE.test(type)) return jsonIn(bytes);
  if (!FORMS.test(type)) throw fail('unsupported_media_type');
  const sent = new Response(new Uint8Array(bytes), { headers: { 'content-type': type } });
  const form = await sent.formData().catch(() => {
    throw fail('malformed_request');
  });
  return fieldsOf([...form].map(([name, value]) => [name, typeof value === 'string' ? value : '']));
}

function jsonIn(bytes: Buffer): Payload {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) return value as Payload;
  } catch {
    // Not JSON.
  }
  throw fail('malformed_request');
}

/** `name[]` and `name[0]` are lists. */
export function fieldsOf(pairs: Iterable<readonly [string, string]>): Payload {
  const fields: Record<string, string | string[]> = {};
  for (const [sent, value] of pairs) {
    const name = sent.replace(/\[\d*\]$/, '');
    const known = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (name !== sent) fields[name] = [...(Array.isArray(known) ? known : []), value];
    else fields[name] = value;
  }
  return fields;
}

/**
 * The same as the fields of an API request: texts by plain names, `filter[type]` as `filter.type`. Airalo is loose about types, so a
 * number is as good as its text.
 */
export function formOf(payload: Payload): Form {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(payload)) {
    if (value === null || value === undefined) continue;
    const text = Array.isArray(value) ? value.map(String).join(',') : typeof value === 'object' ? '…' : String(value);
    pairs.append(name.replace(/\[(\w+)\]/g, '.$1').replaceAll('[', '.'), text.isWellFormed() ? text : '\u{fffd}');
  }
  return apiForm(pairs.toString());
}

/**
 * Whether a signature is that of a payload. The clients sign compact JSON with "/" as "\/"; PHP escapes other letters, too, Node and Python
 * sign them as they are.
 */
export function isSignedWith(secret: string, payload: Payload, signature: string): boolean {
  const plain = phpJson(payload);
  const escaped = plain.replace(/[\u0080-\uffff]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return [plain, escaped].some((text) => isSame(signatureOf(secret, text), signature.toLowerCase()));
}
