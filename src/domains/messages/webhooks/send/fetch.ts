import { undici } from '../../../../platform/http/undici.ts';
import { pinned } from './send.ts';
import type { Guard } from './target.ts';

const TIMEOUT_MS = 8_000;
/** An issuer's keys and description have a few kilobytes. */
const MOST_BYTES = 256 * 1024;

export type GuardedFetch = (url: string, init: object) => Promise<Response>;

/**
 * `fetch` to an address that a partner chose, under the rules of webhooks (`send.ts`): the addresses behind the name are checked, the
 * connection uses one of them, and a redirect is not followed. One deadline covers everything, and a long answer is an error.
 */
export function guardedFetch(guard: Guard): GuardedFetch {
  return async (url, init) => {
    const { Agent, fetch } = undici();
    const { addresses } = await guard.check(url);
    const dispatcher = new Agent({ allowH2: false, connect: { lookup: pinned(addresses), timeout: TIMEOUT_MS } });
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const answer = await fetch(url, { ...init, redirect: 'manual', dispatcher, signal });
      const body = await bytesOf(answer);
      const isEmpty = answer.status === 204 || answer.status === 304;
      return new Response(isEmpty ? null : body, { status: answer.status, headers: [...answer.headers] });
    } finally {
      void dispatcher.close();
    }
  };
}

async function bytesOf({ body }: { readonly body: AsyncIterable<unknown> | null }): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    const bytes = Buffer.from(chunk as Uint8Array);
    length += bytes.length;
    if (length > MOST_BYTES) throw new Error('the answer is too long');
    chunks.push(bytes);
  }
  return new Uint8Array(Buffer.concat(chunks));
}
