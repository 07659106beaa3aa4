import { Type } from 'typebox';
import { type ApiKey, latestKeys, maskKey } from '../../accounts/accounts.ts';
import { changeKey, endKey, makeKey } from '../../actions/keys.ts';
import { splitAddresses } from '../../address-list.ts';
import type { Base } from '../../base.ts';
import { idOf, iso, type MemberAction, memberAction } from './action.ts';

/** As typed: separated by commas or line breaks. */
const allowList = Type.String({ maxLength: 10_000 });

/** The partner's API keys. A key is shown once, when it is created. */
export const keyActions = ({ db }: Base): MemberAction[] => [
  memberAction({
    verb: 'GET',
    path: '/api/keys',
    may: 'see-keys',
    handle: async ({ member }) => ({ body: { keys: (await latestKeys(db, member.partnerId)).map(view) } }),
  }),
  memberAction({
    verb: 'POST',
    path: '/api/keys',
    may: 'develop',
    body: Type.Object({ mode: Type.Enum(['live', 'sandbox']), allow_list: allowList }),
    async handle({ actor, member }, { mode, allow_list }) {
      const wanted = { partnerId: member.partnerId, mode, allowList: splitAddresses(allow_list) };
      const { key, made } = await makeKey(actor, wanted);
      return { body: { key: view(made), secret: key } };
    },
  }),
  memberAction({
    verb: 'POST',
    path: '/api/keys/{id}',
    may: 'develop',
    body: Type.Object({ allow_list: allowList }),
    async handle(call, { allow_list }) {
      const changed = await changeKey(call.actor, idOf(call), { allowList: splitAddresses(allow_list) });
      return { body: { key: view(changed) } };
    },
  }),
  memberAction({
    verb: 'POST',
    path: '/api/keys/{id}/revoke',
    may: 'develop',
    handle: async (call) => ({ body: { key: view(await endKey(call.actor, idOf(call))) } }),
  }),
];

const view = (key: ApiKey) => ({
  id: key.keyId,
  mode: key.mode,
  mask: maskKey(key.mode, key.last4),
  allow_list: key.allowList,
  created_at: iso(key.createdAt),
  expires_at: iso(key.expiresAt),
  revoked_at: iso(key.revokedAt),
  last_used_at: iso(key.lastUsedAt),
  refused_address: key.refusedAddress,
  refused_at: iso(key.refusedAt),
});

export type KeyView = ReturnType<typeof view>;
