import { described, named, said } from '../../../../platform/contract/described.ts';
import { patterned } from '../../../../platform/contract/fields.ts';
import { Type } from '../../../../platform/contract/schema.ts';
import { endpoint } from '../../endpoint.ts';

export interface Device {
  readonly brand: string;
  readonly model: string;
  readonly os: string;
}

/** When the list was last reviewed. Change it with the list. */
export const UPDATED = '2025-11-01';

/**
 * Models that support eSIMs in at least one country, according to their makers. Tablets are those with a mobile connection. There
 * are no watches: they accept eSIMs only from their phone's operator.
 */
const models: readonly (readonly [brand: string, os: string, models: string])[] = [
  [
    'Apple',
    'iOS',
    `iPhone XR, iPhone XS, iPhone XS Max, iPhone 11, iPhone 11 Pro, iPhone 11 Pro Max, iPhone SE (2nd generation), iPhone 12 mini,
    iPhone 12, iPhone 12 Pro, iPhone 12 Pro Max, iPhone 13 mini, iPhone 13, iPhone 13 Pro, iPhone 13 Pro Max,
    iPhone SE (3rd generation), iPhone 14, iPhone 14 Plus, iPhone 14 Pro, iPhone 14 Pro Max, iPhone 15, iPhone 15 Plus, iPhone 15 Pro,
    iPhone 15 Pro Max, iPhone 16, iPhone 16 Plus, iPhone 16 Pro, iPhone 16 Pro Max, iPhone 16e, iPhone 17, iPhone Air, iPhone 17 Pro,
    iPhone 17 Pro Max`,
  ],
  [
    'Apple',
    'iPadOS',
    `iPad (7th generation), iPad (8th generation), iPad (9th generation), iPad (10th generation), iPad (A16),
    iPad mini (5th generation), iPad mini (6th generation), iPad mini (A17 Pro), iPad Air (3rd generation), iPad Air (4th generation),
    iPad Air (5th generation), iPad Air 11-inch (M2), iPad Air 13-inch (M2), iPad Air 11-inch (M3), iPad Air 13-inch (M3),
    iPad Pro 11-inch (1st generation), iPad Pro 11-inch (2nd generation), iPad Pro 11-inch (3rd generation),
    iPad Pro 11-inch (4th generation), iPad Pro 12.9-inch (3rd generation), iPad Pro 12.9-inch (4th generation),
    iPad Pro 12.9-inch (5th generation), iPad Pro 12.9-inch (6th generation), iPad Pro 11-inch (M4), iPad Pro 13-inch (M4),
    iPad Pro 11-inch (M5), iPad Pro 13-inch (M5)`,
  ],
  ['Asus', 'Android', 'Zenfone 12 Ultra'],
  ['Doogee', 'Android', 'V30'],
  ['Fairphone', 'Android', 'Fairphone 4, Fairphone 5, Fairphone (Gen. 6)'],
  [
    'Google',
    'Android',
    `Pixel 3, Pixel 3 XL, Pixel 3a, Pixel 3a XL, Pixel 4, Pixel 4 XL, Pixel 4a, Pixel 4a (5G), Pixel 5, Pixel 5a (5G), Pixel 6, Pixel 6 Pro,
    Pixel 6a, Pixel 7, Pixel 7 Pro, Pixel 7a, Pixel Fold, Pixel 8, Pixel 8 Pro, Pixel 8a, Pixel 9, Pixel 9 Pro, Pixel 9 Pro XL,
    Pixel 9 Pro Fold, Pixel 9a, Pixel 10, Pixel 10 Pro, Pixel 10 Pro XL, Pixel 10 Pro Fold`,
  ],
  ['HMD', 'Android', 'Skyline'],
  [
    'Honor',
    'Android',
    `Magic4 Pro, Magic5 Pro, Magic6 Pro, Magic7 Pro, Magic V2, Magic V3, Honor 90, Honor 200, Honor 200 Pro, Honor 400,
    Honor 400 Pro`,
  ],
  ['Huawei', 'Android', 'P40, P40 Pro, Mate 40 Pro'],
  ['Microsoft', 'Android', 'Surface Duo, Surface Duo 2'],
  ['Microsoft', 'Windows', 'Surface Pro X, Surface Pro 9 (5G)'],
  [
    'Motorola',
    'Android',
    `Razr (2019), Razr 5G, Razr (2022), Razr 40, Razr 40 Ultra, Razr 50, Razr 50 Ultra, Razr 60, Razr 60 Ultra, Edge 40, Edge 40 Neo,
    Edge 40 Pro, Edge 50, Edge 50 Fusion, Edge 50 Neo, Edge 50 Pro, Edge 50 Ultra, Edge 60, Edge 60 Fusion, Edge 60 Pro,
    Moto G55 5G, Moto G75 5G, Moto G84 5G, Moto G85 5G, ThinkPhone`,
  ],
  ['Nokia', 'Android', 'G60 5G, X30 5G, XR21'],
  ['Nothing', 'Android', 'Phone (3), Phone (3a) Pro'],
  ['OnePlus', 'Android', 'OnePlus 11 5G, OnePlus 12, OnePlus 13, OnePlus Open'],
  [
    'Oppo',
    'Android',
    'Find X3 Pro, Find X5, Find X5 Pro, Find X8, Find X8 Pro, Find N2 Flip, Find N3, Find N3 Flip, Find N5, Reno6 Pro 5G',
  ],
  ['Rakuten', 'Android', 'Mini, Big, Big s, Hand, Hand 5G'],
  [
    'Samsung',
    'Android',
    `Galaxy S20, Galaxy S20+, Galaxy S20 Ultra, Galaxy S21, Galaxy S21+, Galaxy S21 Ultra, Galaxy S22, Galaxy S22+, Galaxy S22 Ultra,
    Galaxy S23, Galaxy S23+, Galaxy S23 Ultra, Galaxy S23 FE, Galaxy S24, Galaxy S24+, Galaxy S24 Ultra, Galaxy S24 FE, Galaxy S25,
    Galaxy S25+, Galaxy S25 Ultra, Galaxy S25 Edge, Galaxy S25 FE, Galaxy Note20, Galaxy Note20 Ultra, Galaxy Fold, Galaxy Z Fold2,
    Galaxy Z Fold3, Galaxy Z Fold4, Galaxy Z Fold5, Galaxy Z Fold6, Galaxy Z Fold7, Galaxy Z Flip, Galaxy Z Flip 5G, Galaxy Z Flip3,
    Galaxy Z Flip4, Galaxy Z Flip5, Galaxy Z Flip6, Galaxy Z Flip7, Galaxy Z Flip7 FE, Galaxy A35 5G, Galaxy A36 5G, Galaxy A54 5G,
    Galaxy A55 5G, Galaxy A56 5G, Galaxy XCover6 Pro, Galaxy XCover7, Galaxy Tab S9, Galaxy Tab S9+, Galaxy Tab S9 Ultra,
    Galaxy Tab S9 FE, Galaxy Tab S10+, Galaxy Tab S10 Ultra`,
  ],
  [
    'Sharp',
    'Android',
    'Aquos sense4 lite, Aquos sense7, Aquos sense8, Aquos sense9, Aquos R7, Aquos R8, Aquos R9, Aquos wish',
  ],
  [
    'Sony',
    'Android',
    `Xperia 10 III Lite, Xperia 10 IV, Xperia 10 V, Xperia 10 VI, Xperia 10 VII, Xperia 1 IV, Xperia 1 V, Xperia 1 VI, Xperia 1 VII,
    Xperia 5 IV, Xperia 5 V`,
  ],
  ['Vivo', 'Android', 'X90 Pro, X100 Pro, X200 Pro'],
  [
    'Xiaomi',
    'Android',
    `12T Pro, 13, 13 Lite, 13 Pro, 13T, 13T Pro, 14, 14 Ultra, 14T, 14T Pro, 15, 15 Ultra, 15T, 15T Pro, Redmi Note 13 Pro+ 5G,
    Redmi Note 14 Pro 5G, Redmi Note 14 Pro+ 5G`,
  ],
];

/** By brand, then as their makers number them. */
export const deviceList: readonly Device[] = models.flatMap(([brand, os, list]) =>
  list.split(',').map((model) => ({ brand, model: model.trim(), os })),
);

/** Those whose brand, model and system contain all these words, in any case. */
export function devicesWith(text: string): readonly Device[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return deviceList.filter((device) => words.every((word) => textOf(device).includes(word)));
}

const textOf = ({ brand, model, os }: Device): string => `${brand} ${model} ${os}`.toLowerCase();

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
