import { shareDue } from '../../domains/sales/orders/orders.ts';
import { readAgain } from '../../domains/sales/usage/usage.ts';
import { simulation } from '../../domains/supply/supply.ts';
import { change } from '../../platform/audit/audit-log.ts';
import { Refused } from '../../platform/contract/refused.ts';
import { enterSchema } from '../../platform/db/search-path.ts';
import { action } from '../action.ts';
import { integer, required, text, time } from '../fields.ts';

export const usageActions = [
  action({
    name: 'usage set',
    console: { never: 'it controls the simulated suppliers of a test installation' },
    summary: 'Set the usage that the simulated supplier reports for an eSIM',
    args: { iccid: required(text('ICCID', 'the eSIM')) },
    options: {
      used: required(integer('MB', 'data used so far')),
      total: integer('MB', 'total data of the plan; by default unchanged'),
      'expires-at': time('when it expires; by default unchanged'),
    },
    run: (context, { iccid, used, total, 'expires-at': expiresAt }) =>
      change(context, 'usage set', async (tx) => {
        const now = new Date(context.clock.now());
        const after = await simulation.setUsage(tx, iccid, { usedMb: used, totalMb: total, expiresAt }, now);
        if (!after) throw new Refused('esim_not_found', `${iccid} is not an eSIM of the simulated supplier`);
        await shareDue.again(tx, iccid);
        await enterSchema(tx, 'live');
        await readAgain(tx, iccid, now);
        return { target: `eSIM ${iccid}`, after, result: { iccid, ...after } };
      }),
  }),
];
