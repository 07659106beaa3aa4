import { described } from '../../../../platform/contract/described.ts';
import { fail } from '../../../../platform/contract/failure.ts';
import { requiredText } from '../../../../platform/contract/fields.ts';
import { replacementBody } from '../../../../platform/contract/resources.ts';
import { Type } from '../../../../platform/contract/schema.ts';
import { endpoint } from '../../endpoint.ts';
import { replacement } from '../../views.ts';
import { parseReason, rawReason } from '../order/fields.ts';
import { requiredKey, requireIdempotencyKey } from '../purchase/fields.ts';
import { requireEsim } from './rows.ts';

export const replace = endpoint({
  path: '/esim/replace',
  verb: 'POST',
  tier: 'purchase',
  permission: 'buy',
  isExtension: true,
  summary: 'Get a new eSIM of the same plan for one that was never used or was deleted from its phone, free of charge',
  about: `The new eSIM is an order of its own that costs nothing (\`sale_price\` 0.00), and the old one is withdrawn or suspended where its supplier can. The traveller's link stays the same and shows the new eSIM, which also takes over the rule by which the old one refilled itself.

\`replaced\`: the new eSIM exists; read it from \`order/detail\`. \`pending\`: it is on its way. \`requested\`: the operator has to decide, because the month's replacements have used up what it grants, or because the eSIM is a replacement itself. Wait for \`esim.replaced\`, or send the same request again: it answers how the replacement stands.

If an answer is lost, send the same request with the same \`idempotency_key\`. The same key for another eSIM is 409 \`idempotency_key_conflict\`. Keys of replacements are apart from those of purchases.`,
  fields: {
    iccid: described('The eSIM to replace.', requiredText('iccid_required'), { example: '8900012345678901234' }),
    idempotency_key: requiredKey(
      'Your name for this replacement. Sent again with the same eSIM, it returns the replacement as it stands.',
      'replace-4711-1',
    ),
    reason: rawReason('The phone shows an error when the eSIM is installed'),
  },
  errors: ['esim_not_found', 'idempotency_key_required', 'not_replaceable', 'idempotency_key_conflict'],
  simulated: ['esim_not_found', 'not_replaceable', 'idempotency_key_conflict'],
  reply: Type.Object({ replacement }),
  storeFailure: (codes) => codes.orderInsert,

  /** The eSIM, the key, then the reason, before a simulated error. */
  async check(context, input) {
    const { iccid } = await requireEsim(context, input.iccid);
    return { iccid, key: requireIdempotencyKey(input.idempotency_key), reason: parseReason(input.reason) };
  },

  async handle(context, _, { checked }) {
    const { world, partnerId, keyId, requestId, now, clock, routes, budget } = context;
    const wanted = { ...checked, partnerId, at: new Date(now), by: 'partner', call: { keyId, requestId } } as const;
    const replaced = await world.replacements.request({ ...wanted, clock, routes, budget });
    switch (replaced.outcome) {
      case 'replacement':
        return { body: { replacement: replacementBody(replaced.replacement) } };
      case 'not_found':
        throw fail('esim_not_found');
      case 'not_replaceable':
        throw fail('not_replaceable', { why: replaced.why });
      case 'key_conflict':
        throw fail('idempotency_key_conflict');
    }
  },
});
