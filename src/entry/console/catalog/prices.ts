import { check, preview, previewOptions, shownSettings } from '../../../actions/catalog/price-questions.ts';
import { listSuppliers } from '../../../domains/catalog/catalog.ts';
import { readPricingSettings, ruleScopes, searchRules } from '../../../domains/catalog/prices/prices.ts';
import { Refused, TooManyAttempts } from '../../../platform/contract/refused.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import { Slices } from '../../../platform/limits/slices.ts';
import { bounded } from '../../../platform/limits/turns.ts';
import type { Services } from '../../api/services.ts';
import { type OperatorAction, type OperatorCall, operatorAction, operatorRead } from '../action.ts';
import { withInput } from '../run.ts';

const PAGE = 50;
const PARTNERS_OFFERED = 20;
/** Previews at the same time. Each may price a whole catalog. */
const PREVIEWS = { atOnce: 1, maxWaiting: 8 };
const RETRY_SECONDS = 5;

/** What sets prices: rules, settings, markups; what a change would do; and why a partner pays what it pays. */
export function priceActions({ catalog }: Services): readonly OperatorAction[] {
  const slices = new Slices();
  const turn = bounded(PREVIEWS, () => new TooManyAttempts(RETRY_SECONDS));
  return [
    operatorRead('/operator/api/prices', settings),
    operatorRead('/operator/api/prices/rules', rules),
    operatorAction({
      verb: 'GET',
      path: '/operator/api/prices/preview',
      may: 'see',
      async handle({ context, query }) {
        const given = Object.fromEntries(Object.keys(previewOptions).map((name) => [name, query(name)]));
        const body = await withInput({ options: previewOptions }, given, (input) =>
          turn(() => preview(context, input, () => catalog.moment().plans, slices)),
        );
        return { body: { ...body } };
      },
    }),
    operatorRead('/operator/api/prices/partners', partners),
    operatorAction({
      verb: 'GET',
      path: '/operator/api/prices/check',
      may: 'see',
      async handle({ context, query }) {
        const partner = /^\d{1,9}$/.test(query('partner')) ? Number(query('partner')) : 0;
        return { body: await check(context, { partner, product: query('product') }) };
      },
    }),
  ];
}

async function settings({ context: { db } }: OperatorCall) {
  const [pricing, suppliers] = [await readPricingSettings(db), await listSuppliers(db)];
  return {
    ...shownSettings(pricing),
    suppliers: suppliers.map(({ supplier, title, plans, on_sale, markup_pct }) => {
      return { supplier, title, plans, on_sale, markup_pct };
    }),
  };
}

/** Open partners to choose from, by name, mail address or number. */
async function partners({ context: { db }, query }: OperatorCall) {
  const text = query('q').trim().toLowerCase().slice(0, 100);
  const found = await db.query<{ id: number; name: string }>(sql`
    select id, name from partners
    where deleted_at is null and (strpos(lower(name), ${text}) > 0 or strpos(lower(email), ${text}) > 0 or id::text = ${text})
    order by id::text = ${text} desc, id limit ${PARTNERS_OFFERED}`);
  return { partners: found };
}

async function rules({ context: { db }, query }: OperatorCall) {
  const [scope, partner, before] = [query('scope'), query('partner'), query('before')];
  const known = ruleScopes.find((one) => one === scope);
  if (scope !== '' && !known) throw new Refused('invalid_input', 'unknown scope');
  if (!/^(\d{1,9}|general)?$/.test(partner) || !/^\d{0,9}$/.test(before))
    throw new Refused('invalid_input', 'partner and before are numbers');
  const found = await searchRules(db, {
    scope: known,
    partner: partner === '' ? undefined : partner === 'general' ? partner : Number(partner),
    target: query('target').trim() || undefined,
    before: before === '' ? undefined : Number(before),
    limit: PAGE + 1,
  });
  return { rules: found.slice(0, PAGE), has_more: found.length > PAGE };
}

export type PriceSettingsView = Awaited<ReturnType<typeof settings>>;
export type PartnersOfferedView = Awaited<ReturnType<typeof partners>>;
export type RulesView = Awaited<ReturnType<typeof rules>>;
export type PriceCheckView = Awaited<ReturnType<typeof check>>;
export type PricePreviewView = Awaited<ReturnType<typeof preview>>;
