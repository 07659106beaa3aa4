import { changeKey, endKey, makeKey, shownKey } from '../../actions/keys.ts';
import { findKey, listKeys, readSpendingLimit, type SpendingLimit } from '../../domains/partners/keys/keys.ts';
import { keyPermissions } from '../../platform/contract/key-permissions.ts';
import { type Tier, tierNames } from '../../platform/contract/tiers.ts';
import { splitAddresses } from '../../platform/http/address-list.ts';
import { command } from './command.ts';
import { choice, integer, required, text, time, timeOr, UsageError } from './options.ts';

const keyId = required(integer('KEY_ID', 'the key'));

/** Reads `purchase=600,money=none`. */
function requireCeilings(given: string): Partial<Record<Tier, number | null>> {
  return Object.fromEntries(
    given.split(',').map((pair) => {
      const [tier, value = ''] = pair.split('=');
      const known = tierNames.find((name) => name === tier);
      if (!known || !/^([1-9]\d{0,6}|none)$/.test(value))
        throw new UsageError(
          `--ceilings: "${pair}" is not a tier and its limit, like purchase=600 or money=none; tiers are ${tierNames.join(', ')}`,
        );
      return [known, value === 'none' ? null : Number(value)];
    }),
  );
}

/** Reads `50/day`; `none` ends it. */
function requireSpending(given: string): SpendingLimit | null {
  if (given === 'none') return null;
  const limit = readSpendingLimit(given);
  if (!limit)
    throw new UsageError(
      `--spending-limit: "${given}" is not an amount above zero like 50, 50/day or 200/month, nor none`,
    );
  return limit;
}

/** Reads `read,buy`. */
function requirePermissions(given: string): string[] {
  const chosen = given.split(',').map((name) => name.trim());
  const unknown = chosen.find((name) => !keyPermissions.some((known) => known === name));
  if (unknown !== undefined)
    throw new UsageError(`--permissions: "${unknown}" is not one of ${keyPermissions.join(', ')}`);
  return chosen;
}

/** In a list, what tells keys apart and whether they work; the rest is in `key show`. */
const asRow = (key: ReturnType<typeof shownKey>) => ({
  key_id: key.key_id,
  mode: key.mode,
  name: key.name,
  last4: key.last4,
  permissions: key.permissions?.join(',') ?? 'unrestricted',
  created_at: key.created_at,
  expires_at: key.expires_at,
  revoked_at: key.revoked_at,
  last_used_at: key.last_used_at,
});

export const keyCommands = [
  command({
    path: ['key', 'create'],
    console: { may: 'manage', fresh: true },
    summary: 'Create an API key; it is shown only once',
    options: {
      partner: required(integer('PARTNER_ID', 'the partner it is for')),
      mode: required(choice(['live', 'sandbox'], 'whether it works in live or in the sandbox')),
      allow: text('CIDRS', 'addresses and CIDR blocks it may be used from, comma separated; by default any'),
      permissions: text(
        keyPermissions.join(','),
        'what it may do, comma separated; cannot be changed later; by default everything but changing webhooks',
      ),
      'expires-at': time('when it stops working'),
      name: text('NAME', 'what to call it in lists'),
    },
    async run(context, input) {
      const { key, made } = await makeKey(context, {
        partnerId: input.partner,
        mode: input.mode,
        allowList: splitAddresses(input.allow ?? ''),
        permissions: input.permissions === undefined ? undefined : requirePermissions(input.permissions),
        expiresAt: input['expires-at'],
        name: input.name,
      });
      return { key, key_id: made.keyId };
    },
  }),
  command({
    path: ['key', 'set'],
    console: { may: 'manage' },
    summary: "Change a key's allow-list, expiry, rate limits or what agents may spend with it",
    args: { id: keyId },
    options: {
      allow: text('CIDRS|any', 'addresses and CIDR blocks it may be used from, comma separated; any: no restriction'),
      'expires-at': timeOr('never', 'when it stops working; never: it does not expire'),
      name: text('NAME', 'what to call it in lists'),
      ceilings: text(
        'TIER=N,…',
        `requests per minute for this key; TIER=none restores the default; tiers: ${tierNames.join(', ')}`,
      ),
      'spending-limit': text(
        'USD[/day|/month]|none',
        'what agents may spend with this key through /mcp, per UTC day or month, or in total; none: they can only read',
      ),
    },
    run: async (context, input) => {
      const changed = await changeKey(context, input.id, {
        ...(input.allow !== undefined && { allowList: input.allow === 'any' ? [] : splitAddresses(input.allow) }),
        ...(input['expires-at'] !== undefined && { expiresAt: input['expires-at'] }),
        ...(input.name !== undefined && { name: input.name }),
        ...(input.ceilings !== undefined && { ceilings: requireCeilings(input.ceilings) }),
        ...(input['spending-limit'] !== undefined && { spending: requireSpending(input['spending-limit']) }),
      });
      return shownKey(changed);
    },
  }),
  command({
    path: ['key', 'revoke'],
    console: { may: 'manage', fresh: true },
    summary: 'Revoke a key permanently; every process refuses it within a second',
    args: { id: keyId },
    async run(context, { id }) {
      await endKey(context, id);
      return { key_id: id, revoked: true };
    },
  }),
  command({
    path: ['key', 'show'],
    console: 'shown',
    summary: 'Show a key with its last use and its last refused address',
    args: { id: keyId },
    run: async ({ db }, { id }) => shownKey(await findKey(db, id)),
  }),
  command({
    path: ['key', 'list'],
    console: 'shown',
    summary: 'List all keys of a partner, including revoked ones',
    options: { partner: required(integer('PARTNER_ID', 'the partner')) },
    run: async ({ db }, { partner }) => (await listKeys(db, partner)).map(shownKey),
    text: (keys: ReturnType<typeof shownKey>[]) => keys.map(asRow),
  }),
];
