/**
 * A process that confirms top-ups, is notified of them and reconciles them all at once until it is killed:
 * node confirming-process.ts DATABASE_URL STRIPE_ADDRESS PARTNER_ID
 */

import { stripeCards } from '../../../src/domains/billing/topups/stripe.ts';
import { createTopups } from '../../../src/domains/billing/topups/topups.ts';
import { openDatabase } from '../../../src/platform/db/database.ts';
import { worldRole } from '../../../src/platform/db/migrate/rights.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { createLog } from '../../../src/platform/log.ts';
import { liveTopupTerms } from '../../../src/worlds/live.ts';
import { STRIPE_KEY } from '../servers/fake-stripe.ts';

const [url = '', apiBase = '', partner = ''] = process.argv.slice(2);
const db = openDatabase({ url, name: 'confirming', role: worldRole.live, searchPath: 'live,shared' });
const topups = createTopups(
  // No events are sent: the partner has no subscription.
  {
    db,
    cards: stripeCards({ secretKey: STRIPE_KEY, apiBase }),
    topupTerms: liveTopupTerms,
    webhooks: { publish: async () => ({ refusedOrders: new Set() }) },
  },
  { log: createLog('silent') },
);
const open = await db.query<{ payment_key: string }>(sql`
  select payment_key from topups where status = 'requires_payment' order by random()`);

const work = open[Symbol.iterator]();
await Promise.all(
  Array.from({ length: 6 }, async () => {
    for (const { payment_key: paymentKey } of work) {
      await topups.notify({ paymentKey }, Date.now());
      await Promise.all([
        topups.confirm(Number(partner), paymentKey, Date.now()),
        topups.confirm(Number(partner), paymentKey, Date.now()),
        topups.reconcile(Date.now()),
      ]);
    }
  }),
);
await db.close();
