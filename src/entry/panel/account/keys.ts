import { changeKey, endKey, makeKey } from '../../../actions/partners/keys.ts';
import type { Catalog } from '../../../domains/catalog/catalog.ts';
import { type ApiKey, latestKeys, sampleKey } from '../../../domains/partners/keys/keys.ts';
import { readLimits } from '../../../domains/partners/limits/limits.ts';
import { keyPermissions } from '../../../platform/contract/key-terms.ts';
import { Refused } from '../../../platform/contract/refused.ts';
import { Type } from '../../../platform/contract/schema.ts';
import { splitAddresses } from '../../../platform/http/address-list.ts';
import type { Base } from '../../../worlds/base.ts';
import { idOf, shortText } from '../../site/json/action.ts';
import { keyViews } from '../../site/views/records.ts';
import { fields, type MemberCall, memberChange, memberRead } from '../member-action.ts';

/** As typed: separated by commas or line breaks. */
const allowList = Type.String({ maxLength: 10_000 });

const described = {
  name: Type.Optional(shortText),
  note: Type.Optional(shortText),
  /** The last day it works, as 2030-05-31; '' for a key that does not expire. */
  expires_on: Type.Optional(shortText),
};

/** The end of that day in UTC; null: never; undefined: not asked for. */
function endOf(day: string | undefined, now: number): Date | null | undefined {
  if (day === undefined || day === '') return day === '' ? null : undefined;
  const end = new Date(`${day}T23:59:59.999Z`);
  if (!/^\d{4}-\d\d-\d\d$/.test(day) || Number.isNaN(end.getTime()) || !end.toISOString().startsWith(day))
    throw new Refused('invalid_expiry');
  if (end.getTime() <= now) throw new Refused('expiry_in_past');
  return end;
}

/** The partner's API keys. A live key is shown once, when it is created; a sandbox key also in the samples of the reference. */
export function keyActions(base: Base, catalog: Catalog) {
  const { db, vault, config } = base;
  const views = ({ member, now }: MemberCall, keys: readonly ApiKey[]) =>
    keyViews(base, keys, { now, aheadMs: member.aheadMs });
  const viewOf = async (call: MemberCall, key: ApiKey) => (await views(call, [key]))[0];
  return [
    memberRead('/api/keys', {
      may: 'see-keys',
      viewed: {
        keys: {
          ...fields('id', 'mode', 'name', 'note', 'mask', 'allow_list', 'permissions', 'client_id', 'limits_text'),
          limits: fields('scope', 'per', 'amount', 'count', 'used_amount', 'used_count', 'resets_at'),
          ...fields('created_at', 'expires_at', 'revoked_at', 'last_used_at', 'refused_address', 'refused_at'),
        },
        ...fields('airalo_door'),
      },
      read: async (call) => ({
        keys: await views(call, await latestKeys(db, call.member.partnerId)),
        airalo_door: config.airaloDoor,
      }),
    }),
    memberChange('/api/keys', {
      may: 'develop',
      fresh: true,
      body: Type.Object({
        mode: Type.Enum(['live', 'sandbox']),
        allow_list: allowList,
        /** Left out: it is not restricted. */
        permissions: Type.Optional(Type.Array(Type.String({ maxLength: 40 }), { maxItems: keyPermissions.length })),
        /** With a client id and a secret for software made for Airalo. */
        airalo: Type.Optional(Type.Boolean()),
        ...described,
      }),
      async handle(call, { mode, allow_list, permissions, airalo, name, note, expires_on }) {
        const { actor, member, now } = call;
        const wanted = {
          partnerId: member.partnerId,
          mode,
          name,
          note,
          allowList: splitAddresses(allow_list),
          permissions,
          expiresAt: endOf(expires_on, now),
          isAiralo: airalo,
        };
        const { key, client, made } = await makeKey(actor, wanted, config);
        const shown = client && { client_id: client.clientId, client_secret: client.clientSecret };
        return { body: { key: await viewOf(call, made), secret: key, client: shown ?? null } };
      },
    }),
    memberChange('/api/keys/{id}', {
      may: 'develop',
      body: Type.Object({ allow_list: Type.Optional(allowList), limits: Type.Optional(shortText), ...described }),
      async handle(call, { allow_list, limits, name, note, expires_on }) {
        const expiresAt = endOf(expires_on, call.now);
        const changed = await changeKey(call.actor, idOf(call), {
          name,
          note,
          ...(allow_list !== undefined && { allowList: splitAddresses(allow_list) }),
          ...(expiresAt !== undefined && { expiresAt }),
          ...(limits !== undefined && { limits: readLimits(limits) }),
        });
        return { body: { key: await viewOf(call, changed) } };
      },
    }),
    memberChange('/api/keys/{id}/revoke', {
      may: 'develop',
      handle: async (call) => ({ body: { key: await viewOf(call, await endKey(call.actor, idOf(call))) } }),
    }),
    memberChange('/api/sandbox/sample-key', {
      may: 'develop',
      tier: 'read',
      // A POST, so that only our own pages get it, and no operator who views the panel.
      keyless: 'it changes nothing',
      async handle({ member, now }) {
        const found = await sampleKey(db, member.partnerId, { now, open: vault.open });
        const plan = catalog.listed.find(({ refills }) => refills === null);
        // Null when none of the account's sandbox keys can be read; and when no plan is sold.
        return { body: { key: found?.key ?? null, name: found?.name ?? '', plan_id: plan?.alias ?? null } };
      },
    }),
  ];
}
