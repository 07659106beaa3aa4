import { Type } from 'typebox';
import { type ApiKey, latestKeys, maskKey } from '../../accounts/accounts.ts';
import { changeKey, endKey, makeKey } from '../../actions/keys.ts';
import { splitAddresses } from '../../address-list.ts';
import type { Base } from '../../base.ts';
import { idOf, iso, type MemberAction, memberAction } from './action.ts';

/** As it is typed: separated by commas or lines. */
const allowList = Type.String({ maxLength: 10_000 });

/** The partner's API keys. A key is shown when it is made, and never again. */
export const keyActions = ({ db }: Base): MemberAction[] => [
  memberAction({
    verb: 'GET',
    path: '/api/keys',
    handle: async ({ member }) => ({ body: { keys: (await latestKeys(db, member.partnerId)).map(view) } }),
  }),
  memberAction({
    verb: 'POST',
    path: '/api/keys',
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
    body: Type.Object({ allow_list: allowList }),
    async handle(call, { allow_list }) {
      const changed = await changeKey(call.actor, idOf(call), { allowList: splitAddresses(allow_list) });
      return { body: { key: view(changed) } };
    },
  }),
  memberAction({
    verb: 'POST',
    path: '/api/keys/{id}/revoke',
    handle: async (call) => ({ body: { key: view(await endKey(call.actor, idOf(call))) } }),
  }),
];

const view = (key: ApiKey) => ({
  id: key.key_id,
  mode: key.mode,
  mask: maskKey(key.mode, key.last4),
  allow_list: key.allow_list,
  created_at: iso(key.created_at),
  expires_at: iso(key.expires_at),
  revoked_at: iso(key.revoked_at),
  last_used_at: iso(key.last_used_at),
  refused_address: key.refused_address,
  refused_at: iso(key.refused_at),
});

export type KeyView = ReturnType<typeof view>;
