import { sql } from '../db/sql.ts';
import { formatCents, RefundTooLarge, refundOrders } from '../money/money.ts';
import { Refused } from '../refused.ts';
import { takeBackShares } from '../revenue-share/revenue-share.ts';
import { command } from './command.ts';
import { bigId, required, text } from './options.ts';
import { changeWallet, someUsd } from './wallet.ts';

export const billingCommands = [
  command({
    path: ['order', 'refund'],
    summary: 'Refund a live order in full or in part, to where the money came from; the order keeps its status',
    args: { id: required(bigId('ORDER_ID', 'the order')) },
    options: {
      amount: someUsd('how much; by default all that is not refunded yet'),
      note: text('TEXT', 'the partner sees it with the refund'),
    },
    async run(context, { id, amount, note = '' }) {
      const order = await context.db.maybe<{ partnerId: number }>(sql`
        select partner_id as "partnerId" from live.orders where id = ${id}`);
      if (!order) throw new Refused('order_not_found');
      const { partnerId } = order;
      const entry = {
        what: 'order refund',
        target: `order ${id}`,
        partnerId,
        details: { note },
        ofOrder: true,
      } as const;
      return changeWallet(context, entry, async (tx, wallet) => {
        const at = new Date(context.clock.now());
        const refund = { orderId: id, partnerId, amount };
        const wallets = new Map([[partnerId, wallet]]);
        const given = await refundOrders(tx, wallets, [refund], note, at).catch((error) => {
          if (!(error instanceof RefundTooLarge)) throw error;
          throw new Refused('refund_too_large', `${formatCents(error.left)} USD of order ${id} can still be refunded`);
        });
        if (given === 0n) throw new Refused('refund_too_large', `order ${id} is fully refunded`);
        const takenBack = await takeBackShares(tx, wallets, [id], at);
        const share = takenBack > 0n ? { share_taken_back: formatCents(takenBack) } : {};
        return { order_id: id, refunded: formatCents(given), ...share };
      });
    },
  }),
];
