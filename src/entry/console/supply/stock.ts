import { importStock, readStockTerms, stockImportOptions } from '../../../actions/supply/stock.ts';
import { plain } from '../../../platform/contract/json.ts';
import type { Base } from '../../../worlds/base.ts';
import { filtersFrom } from '../../site/json/filters.ts';
import { operatorChange, operatorRead } from '../action.ts';
import { upload, withInput } from '../run.ts';

/** Some 15,000 items. */
const file = upload(2);

export const stockActions = ({ stock }: Base) => [
  operatorRead('/operator/api/stock', async (call) => {
    const supplier = filtersFrom(call).text('supplier');
    return { plans: await stock.plans({ supplier, plan: undefined }) };
  }),
  operatorChange('/operator/api/stock/import', {
    may: 'manage',
    maxBytes: file.maxBytes,
    noCommand: '`stock import` reads a file; a page sends its text',
    body: file.body,
    async handle({ context }, { input, text }) {
      file.requireShort(text);
      return withInput({ options: stockImportOptions }, input, async (given) => {
        const { supplier, plan, 'dry-run': isDryRun } = given;
        const wanted = { supplier, plan, text, ...readStockTerms(given) };
        const result = await importStock(context, context, wanted, { isDryRun });
        return { body: { result: plain(result) }, kept: isDryRun || 'ok' in result ? 'nothing' : 'answer' };
      });
    },
  }),
];
