import { centsToNumber } from '../../../../platform/amounts/cents.ts';
import { said } from '../../../../platform/contract/described.ts';
import { Type } from '../../../../platform/contract/schema.ts';
import { endpoint } from '../../endpoint.ts';

export const sandboxReset = endpoint({
  path: '/account/sandboxReset',
  verb: 'POST',
  tier: 'purchase',
  permission: 'money',
  summary: 'Delete all sandbox orders and start over with the opening balance (sandbox keys only)',
  about:
    'Deletes your sandbox orders with their delivery records, frees used idempotency keys, and drops open top-ups. Keys and subscriptions stay. Live data is not touched.',
  needs: (world) => world.tools,
  errors: ['sandbox_only_action', 'sandbox_reset_failed'],
  simulated: [],
  reply: Type.Object({
    deleted_orders: said.integer('How many orders were deleted, failed ones included.'),
    balance: said.number('The opening balance, in USD.'),
  }),
  storeFailure: () => 'sandbox_reset_failed',
  async handle({ partnerId, now }, _input, { port }) {
    const { deletedOrders, balance } = await port.reset(partnerId, now);
    return { body: { deleted_orders: deletedOrders, balance: centsToNumber(balance) } };
  },
});
