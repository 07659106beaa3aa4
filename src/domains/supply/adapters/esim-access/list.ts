import type { Deadline } from '../deadline.ts';
import { type Json, listOf } from '../loose.ts';
import { type EsimAccessClient, listIn } from './client.ts';

/** The list of all packages is one answer of several MB. */
const MAX_BYTES = 128 * 1024 * 1024;

/** A list that comes as one answer. Throws rather than return part of it. */
export async function wholeList(
  client: EsimAccessClient,
  path: string,
  body: object,
  name: string,
  deadline: Deadline,
  signal: AbortSignal,
): Promise<readonly Json[]> {
  const answer = await client.post(path, body, deadline, { maxBytes: MAX_BYTES, signal });
  if (answer.said === 'no') throw new Error(`no list: code ${answer.code}`);
  if (answer.said !== 'yes') throw new Error(answer.reason);
  const list = listOf(listIn(answer.obj, name));
  if (!list) throw new Error('no list in the answer');
  return list;
}
