import { described, named, said } from '../../../../platform/contract/described.ts';
import { patterned } from '../../../../platform/contract/fields.ts';
import { Type } from '../../../../platform/contract/schema.ts';
import { endpoint } from '../../endpoint.ts';
import { devicesWith, UPDATED } from './device-list.ts';

const DeviceRow = named('Device', 'A phone or tablet that takes an eSIM.', {
  brand: said.text('Who makes it.'),
  model: said.text('Name of the model.'),
  os: said.text('Its operating system: `iOS`, `iPadOS`, `Android` or `Windows`.'),
});

export const devices = endpoint({
  path: '/catalog/devices',
  verb: 'GET',
  tier: 'catalog',
  isExtension: true,
  summary: 'Phones and tablets that take an eSIM',
  about:
    'A list we keep and date, sorted by brand. A model may be missing, and some models have no eSIM in the variant of a country: iPhones made for mainland China, for example. The phone must not be locked to an operator.',
  fields: {
    search: described(
      'Only devices whose brand, model and system contain all these words, in any case.',
      patterned(/^.{1,100}$/u, 'invalid_search'),
      { example: 'galaxy s24' },
    ),
  },
  hasTag: true,
  reply: Type.Object({
    devices: Type.Array(DeviceRow, { description: 'The devices, sorted by brand.' }),
    count: said.integer('How many there are.'),
    updated: Type.String({
      format: 'date',
      description: 'When the list was last reviewed.',
      examples: [UPDATED],
    }),
  }),
  handle({ ready, world }, { search = '' }, { acceptEncoding, envelope }) {
    const words = search.toLowerCase().split(/\s+/).filter(Boolean);
    return ready.reply(`devices ${world.schema} ${words.join(' ')}`, acceptEncoding, () => {
      const found = devicesWith(search);
      return envelope({ devices: found, count: found.length, updated: UPDATED });
    });
  },
});
