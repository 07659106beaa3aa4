import { listKeys, showKey } from '../accounts/accounts.ts';
import { changeKey, endKey, makeKey } from '../actions/keys.ts';
import { splitAddresses } from '../address-list.ts';
import { type Tier, tierNames } from '../contract/tiers.ts';
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
    async run(context, input) {
      const { key, made } = await makeKey(context, {
        partnerId: input.partner,
        mode: input.mode,
        allowList: splitAddresses(input.allow ?? ''),
        expiresAt: input['expires-at'],
      });
      return { key, key_id: made.key_id };
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
    run: (context, input) =>
      changeKey(context, input.id, {
        ...(input.allow !== undefined && { allowList: input.allow === 'any' ? [] : splitAddresses(input.allow) }),
        ...(input['expires-at'] !== undefined && { expiresAt: input['expires-at'] }),
        ...(input.ceilings !== undefined && { ceilings: ceilings(input.ceilings) }),
      }),
  }),
  command({
    path: ['key', 'revoke'],
    summary: 'End a key for good; every process refuses it within a second',
    args: { id: keyId },
    async run(context, { id }) {
      await endKey(context, id);
      return { key_id: id, revoked: true };
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
