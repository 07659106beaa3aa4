import { listSuppliers, readOnePlan, supplierRows } from '../../domains/catalog/catalog.ts';
import { shareDue } from '../../domains/sales/orders/orders.ts';
import { chargeDifferences } from '../../domains/sales/purchase/purchase.ts';
import { readAgain } from '../../domains/sales/usage/usage.ts';
import { hasSettings, namedSuppliers, simulation, supplierAccounts, testCall } from '../../domains/supply/supply.ts';
import { formatMicros, MICROS_PER_CENT, type Micros, parseCents, toMicros } from '../../platform/amounts/cents.ts';
import { amend, change } from '../../platform/audit/audit-log.ts';
import { snaked } from '../../platform/contract/json.ts';
import { Refused } from '../../platform/contract/refused.ts';
import { enterSchema } from '../../platform/db/search-path.ts';
import { action, type OperatorContext } from '../action.ts';
import { choice, integer, invalid, required, text, the, time, toggle } from '../fields.ts';
import { accountSubject, changeAccount, holdSupplier, readSettingsFile, settingsFile } from './supplier-accounts.ts';

/** Before its first import a supplier has no row; then the settings say its kind, or its slug does. */
async function requireConfigured({ db, supplierKinds }: OperatorContext, slug: string): Promise<void> {
  if ((await supplierAccounts.list(db)).some((one) => one.slug === slug)) return;
  const found = (await listSuppliers(db)).find(({ supplier }) => supplier === slug);
  const named = namedSuppliers(supplierKinds).find((one) => one.slug === slug);
  const kind = found?.kind ?? named?.kind ?? slug.replaceAll('-', '_');
  if (hasSettings(supplierKinds, { slug, kind })) return;
  if (!found) throw new Refused('supplier_not_found');
  throw new Refused('supplier_not_configured', `this process has no settings for ${slug}`);
}

/** From 0 to 1000 with at most two places, as text: percentages are never floats. Null: `none`. */
function requireMarkup(given: string): string | null {
  if (given === 'none') return null;
  if (!/^\d{1,4}(\.\d{1,2})?$/.test(given) || Number(given) > 1000)
    throw invalid`"${given}" is not a markup: give none, or a percentage from 0 to 1000 with at most two places`;
  return given;
}

/** Null: `none`. */
function requireBalanceAlert(given: string): Micros | null {
  if (given === 'none') return null;
  const cents = parseCents(given);
  if (cents === undefined || cents < 0n || cents > HIGHEST_ALERT)
    throw invalid`"${given}" is not a balance: give none, or an amount like 250.00 up to 1000000.00`;
  return toMicros(cents * MICROS_PER_CENT);
}

/** One million dollars. */
const HIGHEST_ALERT = 100_000_000n;

export const supplierActions = [
  action({
    name: 'supplier set',
    console: { may: 'manage', fresh: true },
    summary: "Change a supplier's prices, title, credentials, limit or balance alert, or take all its plans off sale",
    args: { supplier: required(text('SLUG', 'the supplier')) },
    options: {
      markup: text(
        'PCT|none',
        "list price is the cost plus this percentage, with the next import; none: the supplier's own list price",
      ),
      off: toggle('take all its plans off sale and out of every route; its open orders continue'),
      on: toggle('put back on sale what --off took off'),
      'balance-alert': text('USD|none', 'report its balance as low below this; 100.00 unless changed; none: never'),
      title: text('TEXT', 'its display name'),
      settings: settingsFile,
      'calls-per-second': text('N|none', 'the most calls of each process; none: the limit of its kind'),
    },
    async run(context, { supplier, markup, off, on, title, settings, ...limits }) {
      const { 'balance-alert': alert, 'calls-per-second': pace } = limits;
      const given = [markup, alert, title, settings, pace];
      if (given.every((one) => one === undefined) && !off && !on)
        throw invalid`nothing to change: give ${the('markup')}, ${the('off')}, ${the('on')}, ${the('balance-alert')}, ${the('title')}, ${the('settings')} or ${the('calls-per-second')}`;
      if (off && on) throw invalid`give ${the('off')} or ${the('on')}, not both`;
      const pct = markup === undefined ? undefined : requireMarkup(markup);
      const level = alert === undefined ? undefined : requireBalanceAlert(alert);
      const file = settings === undefined ? {} : await readSettingsFile(context, settings);
      const changed = pace === undefined ? file : { ...file, calls_per_second: pace === 'none' ? null : pace };
      const isAccountChanged = [title, settings, pace].some((one) => one !== undefined);
      const result = await amend(
        context,
        'supplier set',
        `supplier ${supplier}`,
        (tx) => holdSupplier(tx, context.vault, supplier),
        async (tx) => {
          if (isAccountChanged) await changeAccount(tx, context, supplier, { title, settings: changed });
          if (pct !== undefined) await supplierRows.setMarkup(tx, supplier, pct);
          if (level !== undefined) await supplierRows.setBalanceAlert(tx, supplier, level);
          if (off || on) await supplierRows.setOff(tx, supplier, off, new Date(context.clock.now()));
        },
      );
      if (isAccountChanged) context.supplierAccounts.changed();
      return result;
    },
    fourEyes: {
      async subject(context, { supplier, markup, title, settings, 'calls-per-second': pace }) {
        const changed = [
          markup !== undefined && `markup ${markup === 'none' ? 'none' : `${markup} %`}`,
          title !== undefined && `title ${title}`,
          settings !== undefined && 'credentials',
          pace !== undefined && `calls per second ${pace}`,
        ].filter((one) => one !== false);
        if (changed.length === 0) return undefined;
        return accountSubject(context, supplier, `Change the supplier ${supplier}: ${changed.join(', ')}`);
      },
    },
  }),
  action({
    name: 'supplier test',
    console: { may: 'support', tier: 'outbound' },
    summary: 'Make one harmless call to a supplier (it reads the balance and orders nothing) and report the result',
    options: { supplier: required(text('SLUG', 'the supplier')) },
    async run(context, { supplier: slug }) {
      const { clock, worlds } = context;
      await requireConfigured(context, slug);
      const { balance, ...tested } = await testCall(await worlds.live.suppliers.of(slug), clock);
      const shown = { ...tested, balance: balance === null ? null : formatMicros(balance) };
      return change(context, 'supplier test', async (tx) => {
        if (balance !== null) await supplierRows.keepBalance(tx, slug, balance, clock.now());
        return { target: `supplier ${slug}`, after: shown, result: { supplier: slug, ...shown } };
      });
    },
  }),
  action({
    name: 'supplier charges',
    console: 'shown',
    summary: 'List orders for which the supplier charged a different price than expected, newest first',
    options: {
      supplier: text('SLUG', 'only of this supplier'),
      limit: integer('N', 'at most this many; 100 by default'),
    },
    async run({ db }, { supplier, limit = 100 }) {
      const found = await chargeDifferences(db, { supplier, limit });
      return found.map(({ expected, charged, ...order }) => ({
        ...snaked(order, 'orderId', 'partnerId', 'supplier', 'supplierPlan', 'supplierOrder'),
        expected: formatMicros(expected),
        charged: formatMicros(charged),
        difference: formatMicros(toMicros(charged - expected)),
        delivered_at: order.deliveredAt,
      }));
    },
  }),
  action({
    name: 'supplier simulate',
    console: { never: 'it controls the simulated suppliers of a test installation' },
    summary: 'Choose how the simulated supplier treats orders of one product',
    args: { alias: required(text('PRODUCT_ID', 'the product, esc_…')) },
    options: { behaviour: required(choice(simulation.behaviours, 'what it does from now on')) },
    run: (context, { alias, behaviour }) =>
      change(context, 'supplier simulate', async (tx) => {
        const plan = await readOnePlan(tx, alias);
        if (!plan) throw new Refused('product_not_found');
        const { slug, kind } = plan.supplier;
        if (kind !== 'simulated') throw new Refused('not_simulated', `${slug} is a real supplier`);
        const before = await simulation.setBehaviour(tx, slug, plan.supplierPlan, behaviour);
        const result = { product_id: alias, supplier: slug, behaviour };
        return { target: `product ${alias}`, before, after: behaviour, result };
      }),
  }),
];

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
