import { auditWords, type FieldChange } from '../../../actions/system/audit-words.ts';
import { listSuppliers, operatorPlans, readOnePlan } from '../../../domains/catalog/catalog.ts';
import { searchRules } from '../../../domains/catalog/prices/prices.ts';
import type { RouteView } from '../../../domains/supply/routes/routes.ts';
import { type LoggedChange, listChanges } from '../../../platform/audit/audit-log.ts';
import { usd } from '../../../platform/audit/sentences.ts';
import { Refused } from '../../../platform/contract/refused.ts';
import { planFacts } from '../../api/endpoints/catalog/rows.ts';
import { iso } from '../../site/json/action.ts';
import { filtersFrom } from '../../site/json/filters.ts';
import { type OperatorCall, operatorRead } from '../action.ts';

const PAGE = 50;
const CHANGES_SHOWN = 20;
const RULES_SHOWN = 20;

/** Every plan, on sale or not, with what partners never see: supplier, cost, what was set by hand. */
export const catalogActions = [
  operatorRead('/operator/api/catalog', plans),
  operatorRead('/operator/api/catalog/choices', choices),
  operatorRead('/operator/api/catalog/plans/{id}', plan),
];

async function plans(call: OperatorCall) {
  const { words, text, oneOf, smallId } = filtersFrom(call, 'invalid_input');
  const sale = oneOf('sale', ['on', 'off']);
  const { plans: found, matched } = await operatorPlans.search(call.context.db, {
    text: words('q', 200),
    supplier: text('supplier'),
    destination: text('destination'),
    onSale: sale && sale === 'on',
    lacking: oneOf('lacking', ['price', 'cost']),
    byHand: oneOf('by_hand', ['yes']) === 'yes',
    beforeId: smallId('before'),
    limit: PAGE + 1,
  });
  return { plans: found.slice(0, PAGE), has_more: found.length > PAGE, matched };
}

function choices({ context: { db } }: OperatorCall) {
  return operatorPlans.choices(db);
}

async function plan({ context: { db }, params: { id = '' } }: OperatorCall) {
  const [found, full] = [await operatorPlans.find(db, id), await readOnePlan(db, id)];
  if (!found || !full) throw new Refused('not_found', 'this plan does not exist');
  const supplier = (await listSuppliers(db)).find((one) => one.supplier === found.supplier);
  const changes = await listChanges(db, { target: `product ${id}`, who: undefined, limit: CHANGES_SHOWN });
  const rules = await searchRules(db, {
    scope: 'product',
    partner: undefined,
    target: id,
    before: undefined,
    limit: RULES_SHOWN,
  });
  return {
    plan: {
      ...found,
      destination_title: full.destination.title,
      supplier_title: full.supplier.title,
      data: full.data,
      days: full.day,
      network: full.networkType,
      operator: full.network.title,
      countries: full.coverage.codes,
      facts: planFacts(full),
      info: full.shortInfo,
      fair_use: full.fairUse.text,
      is_usage_metered: full.isUsageMetered,
    },
    supplier: {
      markup_pct: supplier?.markup_pct ?? null,
      imported_at: iso(supplier?.imported_at ?? null),
    },
    rules,
    changes: changes.map((change) => ({
      at: iso(change.at),
      who: change.who,
      differences: change.what.startsWith('route ')
        ? [routeChange(change)]
        : auditWords({ ...change, partnerId: null }, new Map()).difference,
    })),
  };
}

/** A route in the log has whole plans in it; here it is one line. */
function routeChange({ before, after }: Pick<LoggedChange, 'before' | 'after'>): FieldChange {
  const line = (state: unknown): string | null => {
    const route = state as RouteView | null | undefined;
    if (!route) return null;
    const who = route.alternates.map(({ supplier, supplier_plan }) => `${supplier} (${supplier_plan})`).join(', ');
    const limit =
      route.max_cost !== null
        ? usd(route.max_cost)
        : route.min_margin === null
          ? 'the price paid'
          : `a margin of ${route.min_margin} %`;
    return `${who}; first ${route.prefer}; limit ${limit}`;
  };
  return { field: 'Route', before: line(before), after: line(after) };
}
