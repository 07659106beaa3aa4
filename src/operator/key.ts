import { createKey, listKeys, revokeKey, setKey, showKey } from '../accounts/accounts.ts';
import { splitAddresses } from '../address-list.ts';
import { type Tier, tierNames } from '../api/tiers.ts';
import { audit } from './audit-log.ts';
import { command } from './command.ts';
import { choice, integer, required, text, time, timeOr, UsageError } from './options.ts';

const keyId = required(integer('KEY_ID', 'the key'));

/** `purchase=600,money=none` */
function ceilings(given: string): Partial<Record<Tier, number | null>> {
  return Object.fromEntries(
    given.split(',').map((pair) => {
      const [tier, value = ''] = pair.split('=');
      const known = tierNames.find((name) => name === tier);
      if (!known || !/^([1-9]\d{0,6}|none)$/.test(value))
        throw new UsageError(`"${pair}" is not TIER=PER_MINUTE or TIER=none`);
      return [known, value === 'none' ? null : Number(value)];
    }),
  );
}

export const keyCommands = [
  command({
    path: ['key', 'create'],
    summary: 'Make an API key; it is shown this once',
    options: {
      partner: required(integer('PARTNER_ID', 'whose key')),
      mode: required(choice(['live', 'sandbox'], 'which world it opens')),
      allow: text('CIDRS', 'source addresses and blocks, comma separated; none: no restriction'),
      'expires-at': time('when it stops working'),
    },
    async run({ db, who }, input) {
      return db.tx(async (tx) => {
        const made = await createKey(tx, {
          partnerId: input.partner,
          mode: input.mode,
          allowList: splitAddresses(input.allow ?? ''),
          expiresAt: input['expires-at'],
        });
        const after = await showKey(tx, made.key_id);
        await audit(tx, { who, what: 'key create', target: `key ${made.key_id}`, after });
        return made;
      });
    },
  }),
  command({
    path: ['key', 'set'],
    summary: 'Change a key: allow-list, expiry, rate ceilings',
    args: { id: keyId },
    options: {
      allow: text('CIDRS|any', 'source addresses and blocks; any: no restriction'),
      'expires-at': timeOr('never', 'when it stops working'),
      ceilings: text('TIER=N,…', 'requests per minute for this key; TIER=none: back to the default'),
    },
    async run({ db, who }, input) {
      return db.tx(async (tx) => {
        const before = await showKey(tx, input.id);
        await setKey(tx, input.id, {
          ...(input.allow !== undefined && { allowList: input.allow === 'any' ? [] : splitAddresses(input.allow) }),
          ...(input['expires-at'] !== undefined && { expiresAt: input['expires-at'] }),
          ...(input.ceilings !== undefined && { ceilings: ceilings(input.ceilings) }),
        });
        const after = await showKey(tx, input.id);
        await audit(tx, { who, what: 'key set', target: `key ${input.id}`, before, after });
        return after;
      });
    },
  }),
  command({
    path: ['key', 'revoke'],
    summary: 'End a key for good; every process refuses it within a second',
    args: { id: keyId },
    async run({ db, who }, { id }) {
      return db.tx(async (tx) => {
        const before = await showKey(tx, id);
        await revokeKey(tx, id);
        await audit(tx, { who, what: 'key revoke', target: `key ${id}`, before, after: await showKey(tx, id) });
        return { key_id: id, revoked: true };
      });
    },
  }),
  command({
    path: ['key', 'show'],
    summary: 'Last use, refused address and time of a key',
    args: { id: keyId },
    run: ({ db }, { id }) => showKey(db, id),
  }),
  command({
    path: ['key', 'list'],
    summary: 'Keys of a partner',
    options: { partner: required(integer('PARTNER_ID', 'whose keys')) },
    run: ({ db }, { partner }) => listKeys(db, partner),
  }),
];
