import type { Called } from '../../../../platform/http/call.ts';
import { type JsonClient, openCalls } from '../connection.ts';

/** A call that was answered. */
export type Answered = Extract<Called, { status: number }>;

export interface ClientParts {
  readonly url: URL;
  readonly apiKey: string;
  /** Undefined: any number. */
  readonly perSecond?: number | undefined;
}

/** Zendit has no envelope: what an answer means is in its status and its fields. */
export function openClient({ url, apiKey, perSecond }: ClientParts): JsonClient {
  const { send, close } = openCalls({ url, perSecond });
  const headers = { authorization: `Bearer ${apiKey}` };
  return {
    get: (path, deadline, limits) => send({ method: 'GET', path, headers }, deadline, limits),
    post: (path, payload, deadline) => send({ method: 'POST', path, headers, body: JSON.stringify(payload) }, deadline),
    close,
  };
}
