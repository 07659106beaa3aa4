import { check, preview, previewOptions, shownSettings } from '../../../actions/catalog/price-questions.ts';
import { listSuppliers } from '../../../domains/catalog/catalog.ts';
import { readPricingSettings, ruleScopes, searchRules } from '../../../domains/catalog/prices/prices.ts';
import { openPartnersMatching } from '../../../domains/partners/accounts/accounts.ts';
import { smallIdIn } from '../../../platform/contract/ids.ts';
import { TooManyAttempts } from '../../../platform/contract/refused.ts';
import { bounded, Slices } from '../../../platform/limits/turns.ts';
import type { Services } from '../../api/endpoint.ts';
import { filtersFrom } from '../../site/json/filters.ts';
import { type OperatorCall, operatorRead } from '../action.ts';
import { withInput } from '../run.ts';

const PAGE = 50;
const PARTNERS_OFFERED = 20;
/** Previews at the same time. Each may price a whole catalog. */
const PREVIEWS = { atOnce: 1, maxWaiting: 8 };
const RETRY_SECONDS = 5;

/** What sets prices: rules, settings, markups; what a change would do; and why a partner pays what it pays. */
export function priceActions({ catalog }: Services) {
  const slices = new Slices();
  const turn = bounded(PREVIEWS, () => new TooManyAttempts(RETRY_SECONDS));
  return [
    operatorRead('/operator/api/prices', settings),
    operatorRead('/operator/api/prices/rules', rules),
    operatorRead('/operator/api/prices/preview', async ({ context, query }) => {
      const given = Object.fromEntries(Object.keys(previewOptions).map((name) => [name, query(name)]));
      return withInput({ options: previewOptions }, given, (input) =>
        turn(() => preview(context, input, () => catalog.moment().plans, slices)),
      );
    }),
    operatorRead('/operator/api/prices/partners', partners),
    operatorRead('/operator/api/prices/check', async (call) => {
      const { smallId, text } = filtersFrom(call, 'ignored');
      return check(call.context, { partner: smallId('partner') ?? 0, product: text('product') ?? '' });
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
async function partners(call: OperatorCall) {
  const { db } = call.context;
  return { partners: await openPartnersMatching(db, filtersFrom(call).words('q', 100), PARTNERS_OFFERED) };
}

async function rules(call: OperatorCall) {
  const { oneOf, read, text, smallId } = filtersFrom(call, 'invalid_input');
  const partnerOf = (given: string) => (given === 'general' ? given : smallIdIn(given));
  const found = await searchRules(call.context.db, {
    scope: oneOf('scope', ruleScopes),
    partner: read('partner', partnerOf, 'partner is the id of one, or general'),
    target: text('target'),
    before: smallId('before'),
    limit: PAGE + 1,
  });
  return { rules: found.slice(0, PAGE), has_more: found.length > PAGE };
}
