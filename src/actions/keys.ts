import {
  type ApiKey,
  createKey,
  findKey,
  type KeyChange,
  type NewKey,
  revokeKey,
  setKey,
} from '../domains/partners/keys/keys.ts';
import { formatCents } from '../platform/amounts/cents.ts';
import { change } from '../platform/audit/audit-log.ts';
import type { AuditKind } from '../platform/audit/sentences.ts';
import { Refused } from '../platform/contract/refused.ts';
import type { Tx } from '../platform/db/database.ts';
import { type Actor, requireMine } from './actor.ts';

/** The key itself is in the result only. A sandbox key stays sealed for samples. */
export function makeKey(actor: Actor, wanted: NewKey): Promise<{ key: string; made: ApiKey }> {
  if (wanted.expiresAt && wanted.expiresAt.getTime() <= actor.clock.now())
    throw new Refused('expiry_in_past', 'a new key must expire in the future');
  return change(actor, 'key create', async (tx) => {
    const { key, keyId } = await createKey(tx, wanted, actor.vault.seal);
    const made = await findKey(tx, keyId);
    const shownOnce = 'the key was created and shown once; if you do not have it, revoke it and create another';
    return { target: `key ${keyId}`, after: shownKey(made), result: { key, made }, shownOnce };
  });
}

export const changeKey = (actor: Actor, keyId: number, wanted: KeyChange): Promise<ApiKey> =>
  changed(actor, 'key set', keyId, (tx) => setKey(tx, keyId, wanted));

export const endKey = (actor: Actor, keyId: number): Promise<ApiKey> =>
  changed(actor, 'key revoke', keyId, (tx) => revokeKey(tx, keyId));

function changed(actor: Actor, what: AuditKind, keyId: number, work: (tx: Tx) => Promise<void>): Promise<ApiKey> {
  return change(actor, what, async (tx) => {
    const before = requireMine(actor, await findKey(tx, keyId), 'key_not_found');
    await work(tx);
    const after = await findKey(tx, keyId);
    return { target: `key ${keyId}`, before: shownKey(before), after: shownKey(after), result: after };
  });
}

/** A key as the command line and the audit log show it. */
export const shownKey = (key: ApiKey) => ({
  key_id: key.keyId,
  partner_id: key.partnerId,
  mode: key.mode,
  name: key.name,
  note: key.note,
  last4: key.last4,
  allow_list: key.allowList,
  permissions: key.permissions,
  tier_ceilings: key.tierCeilings,
  spending_limit: key.spendingLimit === null ? null : formatCents(key.spendingLimit),
  spending_period: key.spendingPeriod,
  created_at: key.createdAt,
  expires_at: key.expiresAt,
  revoked_at: key.revokedAt,
  last_used_at: key.lastUsedAt,
  refused_address: key.refusedAddress,
  refused_at: key.refusedAt,
});
