import { said } from '../../../../platform/contract/described.ts';
import { Type } from '../../../../platform/contract/schema.ts';
import { endpoint } from '../../endpoint.ts';
import { productSchema, rowTexts } from './rows.ts';
import { formatVersion, VERSION_PATTERN, versionOf } from './versions.ts';

export const wholeCatalog = endpoint({
  path: '/catalog/export',
  verb: 'GET',
  tier: 'catalog',
  isExtension: true,
  summary: 'Every plan on sale, all variants, with your prices',
  hasTag: true,
  about:
    'Fetch it once, then ask `catalog/changes` for what changed since. Refills are not in it. Accept gzip or brotli: a large catalog is some 40 MB of text and 2 MB compressed.',
  reply: Type.Object({
    version: Type.String({
      pattern: VERSION_PATTERN,
      description: 'Names the catalog as it is now. Send it to `catalog/changes` as `since`.',
    }),
    count: said.integer('How many plans there are.'),
    products: Type.Array(productSchema, { description: 'Every plan on sale.' }),
  }),
  async handle({ catalog, pricing, prepared, world, partnerId }, _input, { acceptEncoding, envelope }) {
    const prices = await pricing.of(partnerId);
    const moment = catalog.moment();
    const version = formatVersion(versionOf(moment, prices));
    // Before the version is published: later we must still know what the prices were.
    await pricing.remember(partnerId, prices);
    return prepared.reply(`export ${world.schema} ${version}`, acceptEncoding, async function* (slices) {
      yield envelope({ version, count: moment.listed.length, products: [] }).slice(0, -']}'.length);
      yield* rowTexts(moment.listed, prices.priceOf, slices);
      yield ']}';
    });
  },
});
