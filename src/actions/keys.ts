import {
  type ApiKey,
  createKey,
  type KeyChange,
  type NewKey,
  revokeKey,
  setKey,
  showKey,
} from '../accounts/accounts.ts';
import type { Tx } from '../db/database.ts';
import { type Actor, mine } from './actor.ts';
import { audit } from './audit-log.ts';

/** The key itself is in the answer and nowhere else. */
export function makeKey(actor: Actor, wanted: NewKey): Promise<{ key: string; made: ApiKey }> {
  return actor.db.tx(async (tx) => {
    const { key, key_id } = await createKey(tx, wanted);
    const made = await showKey(tx, key_id);
    await audit(tx, { who: actor.who, what: 'key create', target: `key ${key_id}`, after: made });
    return { key, made };
  });
}

export const changeKey = (actor: Actor, keyId: number, change: KeyChange): Promise<ApiKey> =>
  changed(actor, 'key set', keyId, (tx) => setKey(tx, keyId, change));

export const endKey = (actor: Actor, keyId: number): Promise<ApiKey> =>
  changed(actor, 'key revoke', keyId, (tx) => revokeKey(tx, keyId));

function changed(actor: Actor, what: string, keyId: number, work: (tx: Tx) => Promise<void>): Promise<ApiKey> {
  return actor.db.tx(async (tx) => {
    const before = mine(actor, await showKey(tx, keyId), 'key_not_found');
    await work(tx);
    const after = await showKey(tx, keyId);
    await audit(tx, { who: actor.who, what, target: `key ${keyId}`, before, after });
    return after;
  });
}
