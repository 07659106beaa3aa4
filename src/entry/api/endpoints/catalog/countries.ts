import { said } from '../../../../platform/contract/described.ts';
import { Type } from '../../../../platform/contract/schema.ts';
import { endpoint } from '../../endpoint.ts';
import { countryRow, countrySchema } from './rows.ts';

export const countries = endpoint({
  path: '/catalog/countries',
  verb: 'GET',
  tier: 'catalog',
  summary: 'Every destination, one row per country code, sorted by code',
  about: 'Regions are destinations, too: their plans cover several countries.',
  hasTag: true,
  reply: Type.Object({
    count: said.integer('How many there are.'),
    countries: Type.Array(countrySchema, { description: 'Every destination, sorted by code.' }),
  }),
  handle({ catalog, ready, world }, _input, { acceptEncoding, envelope }) {
    return ready.reply(`countries ${world.schema} ${catalog.version}`, acceptEncoding, () =>
      envelope({
        count: catalog.countries.length,
        countries: catalog.countries.map((country) => countryRow(country, country.region)),
      }),
    );
  },
});
