import { Type } from 'typebox';
import { timestamp } from '../../clock.ts';
import { fail } from '../../contract/errors.ts';
import { usageStates } from '../../suppliers/suppliers.ts';
import { endpoint } from '../endpoint.ts';
import { nullable } from '../views.ts';

export const usage = endpoint({
  path: '/order/usage',
  verb: 'GET',
  tier: 'read',
  summary: 'Data usage of an eSIM; may be a minute or two old',
  param: { name: 'iccid', missing: 'iccid_required', schema: Type.String() },
  fields: {},
  errors: ['usage_not_available'],
  simulated: ['usage_not_available'],
  reply: Type.Object({
    usage: Type.Object({
      iccid: Type.String(),
      sale_id: Type.Integer(),
      title: Type.String(),
      status: Type.Enum([...usageStates]),
      tone: Type.Enum(['ok', 'warning', 'danger']),
      total_mb: Type.Integer(),
      used_mb: Type.Integer(),
      remaining_mb: Type.Integer(),
      percent_remaining: Type.Integer(),
      is_unlimited: Type.Boolean(),
      fair_use_text: Type.String(),
      activated_at: nullable(Type.String()),
      expires_at: nullable(Type.String()),
      days_left: nullable(Type.Integer()),
      fetched_at: Type.String(),
    }),
  }),
  async handle({ world, partnerId, clock, catalog }, _input, { param: iccid }) {
    // Text that cannot be an ICCID is answered as not found without a query.
    const found = /^\d{5,22}$/.test(iccid) ? await world.usage.of(partnerId, iccid, clock) : undefined;
    if (!found) throw fail('usage_not_available');
    return {
      body: {
        usage: {
          iccid,
          sale_id: Number(found.orderId),
          title: found.productTitle,
          status: found.status,
          tone: found.tone,
          total_mb: found.totalMb,
          used_mb: found.usedMb,
          remaining_mb: found.remainingMb,
          percent_remaining: found.percentRemaining,
          is_unlimited: found.isUnlimited,
          fair_use_text: catalog.byAlias(found.productId)?.fairUse.text ?? '',
          activated_at: timestamp(found.activatedAt),
          expires_at: timestamp(found.expiresAt),
          days_left: found.daysLeft,
          fetched_at: timestamp(found.fetchedAt),
        },
      },
    };
  },
});
