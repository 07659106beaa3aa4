import { change } from '../audit-log.ts';
import { sql } from '../db/sql.ts';
import { Refused } from '../refused.ts';
import { behaviours, setBehaviour } from '../suppliers/suppliers.ts';
import { command } from './command.ts';
import { choice, required, text } from './options.ts';

export const supplierCommands = [
  command({
    path: ['supplier', 'simulate'],
    summary: 'Choose how the simulated supplier treats orders of one product',
    args: { alias: required(text('PRODUCT_ID', 'the product, esc_…')) },
    options: { behaviour: required(choice(behaviours, 'what it does from now on')) },
    run: (context, { alias, behaviour }) =>
      change(context, 'supplier simulate', async (tx) => {
        const plan = await tx.maybe<{ slug: string; kind: string; code: string }>(sql`
          select slug, kind, supplier_plan as code from plans join suppliers on suppliers.id = supplier_id
          where alias = ${alias}`);
        if (!plan) throw new Refused('product_not_found');
        if (plan.kind !== 'simulated') throw new Refused('not_simulated', `${plan.slug} is a real supplier`);
        const before = await setBehaviour(tx, plan.slug, plan.code, behaviour);
        const result = { product_id: alias, supplier: plan.slug, behaviour };
        return { target: `product ${alias}`, before, after: behaviour, result };
      }),
  }),
];
