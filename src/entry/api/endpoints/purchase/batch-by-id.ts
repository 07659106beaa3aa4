import { type State, states } from '../../../../domains/sales/orders/orders.ts';
import { said } from '../../../../platform/contract/described.ts';
import { fail } from '../../../../platform/contract/failure.ts';
import { bigIdIn, NO_ID } from '../../../../platform/contract/ids.ts';
import { Type } from '../../../../platform/contract/schema.ts';
import { endpoint } from '../../endpoint.ts';
import { batchReply, batchView } from './batch.ts';

export const batchById = endpoint({
  path: '/purchase/batch/{id}',
  verb: 'GET',
  tier: 'read',
  isExtension: true,
  summary: 'A batch as it stands now',
  about:
    'Poll it until `deferred` is 0, or wait for the events of the orders. A batch that is not yours is answered like one that does not exist.',
  param: {
    name: 'id',
    missing: 'batch_not_found',
    schema: Type.Integer({ minimum: 1, description: 'The number of the batch.' }),
  },
  errors: ['batch_not_found'],
  simulated: ['batch_not_found', 'order_read_failed'],
  reply: Type.Object({
    ...batchReply,
    delivered: said.integer('How many orders are delivered.'),
    deferred: said.integer('How many are paid and on their way.'),
    failed: said.integer('How many failed. What they cost went back.'),
  }),
  storeFailure: (codes) => codes.orderRead,
  async handle(context, _input, { param }) {
    const id = bigIdIn(param) ?? NO_ID;
    const batch = await context.world.orders.batch(context.partnerId, id);
    if (!batch) throw fail('batch_not_found');
    const howMany = (state: State) => batch.orders.filter(({ status }) => status === states[state].status).length;
    const [delivered, failed] = [howMany('delivered'), howMany('failed')];
    const deferred = batch.orders.length - delivered - failed;
    return { body: { ...batchView(context, id, batch), delivered, deferred, failed } };
  },
});
