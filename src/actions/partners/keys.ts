import {
  type ApiKey,
  createKey,
  findKey,
  type KeyChange,
  listKeys,
  type MadeKey,
  type NewKey,
  revokeKey,
  setKey,
} from '../../domains/partners/keys/keys.ts';
import { readLimits, shownLimit } from '../../domains/partners/limits/limits.ts';
import { amend, change } from '../../platform/audit/audit-log.ts';
import type { AuditKind } from '../../platform/audit/sentences.ts';
import { snaked } from '../../platform/contract/json.ts';
import { keyPermissions, type Tier, tierNames } from '../../platform/contract/key-terms.ts';
import { Refused } from '../../platform/contract/refused.ts';
import type { Tx } from '../../platform/db/database.ts';
import { splitAddresses } from '../../platform/http/address-list.ts';
import type { Config } from '../../platform/settings/config.ts';
import { action } from '../action.ts';
import { type Actor, requireMine } from '../actor.ts';
import { choice, field, integer, invalid, limitField, required, text, time, timeOr, toggle } from '../fields.ts';

/** The key itself is in the result only. A sandbox key stays sealed for samples. */
export function makeKey(
  actor: Actor,
  wanted: NewKey,
  { airaloDoor }: Pick<Config, 'airaloDoor'>,
): Promise<Pick<MadeKey, 'key' | 'client'> & { made: ApiKey }> {
  if (wanted.expiresAt && wanted.expiresAt.getTime() <= actor.clock.now())
    throw new Refused('expiry_in_past', 'a new key must expire in the future');
  return change(actor, 'key create', async (tx) => {
    if (wanted.isAiralo && !airaloDoor) throw new Refused('airalo_door_off');
    const { key, keyId, client } = await createKey(tx, wanted, actor.vault.seal);
    const made = await findKey(tx, keyId);
    const shownOnce = 'the key was created and shown once; if you do not have it, revoke it and create another';
    return { target: `key ${keyId}`, after: shownKey(made), result: { key, client, made }, shownOnce };
  });
}

export const changeKey = (actor: Actor, keyId: number, wanted: KeyChange): Promise<ApiKey> =>
  changed(actor, 'key set', keyId, (tx) => setKey(tx, keyId, wanted));

export const endKey = (actor: Actor, keyId: number): Promise<ApiKey> =>
  changed(actor, 'key revoke', keyId, (tx) => revokeKey(tx, keyId));

function changed(actor: Actor, what: AuditKind, keyId: number, work: (tx: Tx) => Promise<void>): Promise<ApiKey> {
  const read = async (tx: Tx) => requireMine(actor, await findKey(tx, keyId), 'key_not_found');
  return amend(actor, what, `key ${keyId}`, read, work, shownKey);
}

export const shownKey = (key: ApiKey) => ({
  ...snaked(key, 'keyId', 'partnerId', 'mode', 'name', 'note', 'last4', 'allowList', 'permissions', 'tierCeilings'),
  limits: key.limits.map(shownLimit),
  ...snaked(key, 'createdAt', 'expiresAt', 'revokedAt', 'lastUsedAt', 'refusedAddress', 'refusedAt', 'clientId'),
});

const keyId = required(integer('KEY_ID', 'the key'));

const ceilings = field(
  'TIER=N,…',
  `requests per minute for this key; TIER=none restores the default; tiers: ${tierNames.join(', ')}`,
  'a list of limits',
  (given): Partial<Record<Tier, number | null>> =>
    Object.fromEntries(
      given.split(',').map((pair) => {
        const [tier, value = ''] = pair.split('=');
        const known = tierNames.find((name) => name === tier);
        if (!known || !/^([1-9]\d{0,6}|none)$/.test(value))
          throw invalid`"${pair}" is not a tier and its limit, like purchase=600 or money=none; tiers are ${tierNames.join(', ')}`;
        return [known, value === 'none' ? null : Number(value)];
      }),
    ),
);

const permissions = field(
  keyPermissions.join(','),
  'what it may do, comma separated; cannot be changed later; by default everything but changing webhooks',
  'a list of permissions',
  (given) => {
    const chosen = given.split(',').map((name) => name.trim());
    const unknown = chosen.find((name) => !keyPermissions.some((known) => known === name));
    if (unknown !== undefined) throw invalid`"${unknown}" is not one of ${keyPermissions.join(', ')}`;
    return chosen;
  },
);

/** In a list, what tells keys apart and whether they work; the rest is in `key show`. */
const asRow = (key: ReturnType<typeof shownKey>) => ({
  ...snaked(key, 'key_id', 'mode', 'name', 'last4'),
  permissions: key.permissions?.join(',') ?? 'unrestricted',
  ...snaked(key, 'created_at', 'expires_at', 'revoked_at', 'last_used_at'),
});

export const keyActions = [
  action({
    name: 'key create',
    console: { may: 'manage', fresh: true },
    summary: 'Create an API key; it is shown only once',
    options: {
      partner: required(integer('PARTNER_ID', 'the partner it is for')),
      mode: required(choice(['live', 'sandbox'], 'whether it works in live or in the sandbox')),
      allow: text('CIDRS', 'addresses and CIDR blocks it may be used from, comma separated; by default any'),
      permissions,
      'expires-at': time('when it stops working'),
      name: text('NAME', 'what to call it in lists'),
      airalo: toggle("with a client id and a secret, for software made for Airalo's Partner API"),
    },
    async run(context, input) {
      const wanted = {
        partnerId: input.partner,
        mode: input.mode,
        allowList: splitAddresses(input.allow ?? ''),
        permissions: input.permissions,
        expiresAt: input['expires-at'],
        name: input.name,
        isAiralo: input.airalo,
      };
      const { key, client, made } = await makeKey(context, wanted, context.config);
      return { key, key_id: made.keyId, ...(client && snaked(client, 'clientId', 'clientSecret')) };
    },
  }),
  action({
    name: 'key set',
    console: { may: 'manage' },
    summary: "Change a key's allow-list, expiry, rate limits or what may be spent with it",
    args: { id: keyId },
    options: {
      allow: text('CIDRS|any', 'addresses and CIDR blocks it may be used from, comma separated; any: no restriction'),
      'expires-at': timeOr('never', 'when it stops working; never: it does not expire'),
      name: text('NAME', 'what to call it in lists'),
      ceilings,
      limit: limitField('with this key'),
    },
    run: async (context, input) => {
      const changed = await changeKey(context, input.id, {
        ...(input.allow !== undefined && { allowList: input.allow === 'any' ? [] : splitAddresses(input.allow) }),
        ...(input['expires-at'] !== undefined && { expiresAt: input['expires-at'] }),
        ...(input.name !== undefined && { name: input.name }),
        ...(input.ceilings !== undefined && { ceilings: input.ceilings }),
        ...(input.limit !== undefined && { limits: readLimits(input.limit) }),
      });
      return shownKey(changed);
    },
  }),
  action({
    name: 'key revoke',
    console: { may: 'manage', fresh: true },
    summary: 'Revoke a key permanently; every process refuses it within a second',
    args: { id: keyId },
    async run(context, { id }) {
      await endKey(context, id);
      return { key_id: id, revoked: true };
    },
  }),
  action({
    name: 'key show',
    console: 'shown',
    summary: 'Show a key with its last use and its last refused address',
    args: { id: keyId },
    run: async ({ db }, { id }) => shownKey(await findKey(db, id)),
  }),
  action({
    name: 'key list',
    console: 'shown',
    summary: 'List all keys of a partner, including revoked ones',
    options: { partner: required(integer('PARTNER_ID', 'the partner')) },
    run: async ({ db }, { partner }) => (await listKeys(db, partner)).map(shownKey),
    text: (keys: ReturnType<typeof shownKey>[]) => keys.map(asRow),
  }),
];
