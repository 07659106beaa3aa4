import { said } from '../../../../platform/contract/described.ts';
import { fail } from '../../../../platform/contract/failure.ts';
import { ICCID } from '../../../../platform/contract/ids.ts';
import { Type } from '../../../../platform/contract/schema.ts';
import { endpoint } from '../../endpoint.ts';
import { usageSchema, usageView } from './usage-view.ts';

export const usage = endpoint({
  path: '/order/usage',
  verb: 'GET',
  tier: 'read',
  summary: 'Data usage of an eSIM; may be a minute or two old',
  about:
    'A reading is kept for 90 seconds. If the supplier does not answer, the answer is 404 `usage_not_available`, not an old figure.',
  param: { name: 'iccid', missing: 'iccid_required', schema: said.text('The number of the eSIM.') },
  errors: ['usage_not_available'],
  reply: Type.Object({ usage: usageSchema }),
  async handle({ world, partnerId, clock, catalog }, _input, { param: iccid }) {
    // Text that cannot be an ICCID is answered as not found without a query.
    const found = ICCID.test(iccid) ? await world.usage.of(partnerId, iccid, clock) : undefined;
    if (!found) throw fail('usage_not_available');
    return { body: { usage: usageView(found, catalog) } };
  },
});
