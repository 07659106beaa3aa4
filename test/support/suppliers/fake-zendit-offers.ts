/** An offer as the list shows it; `special` is what the test is about. Money is in cents. */
export const zenditOffer = (offerId: string, special: Record<string, unknown> = {}) => ({
  offerId,
  brand: 'zesim',
  brandName: 'Zesim',
  country: 'US',
  regions: ['North America'],
  enabled: true,
  productType: 'ESIM',
  priceType: 'FIXED',
  subTypes: ['Standard'],
  // Theirs are decimal: what others call 1 GB.
  dataGB: 1.024,
  dataUnlimited: false,
  dataSpeeds: ['4G', '5G'],
  durationDays: 7,
  voiceMinutes: 0,
  voiceUnlimited: false,
  smsNumber: 0,
  smsUnlimited: false,
  roaming: [{ country: 'CA', dataSpeeds: ['4G'] }],
  notes: 'Works in Canada, too.',
  shortNotes: 'Data only',
  cost: { currency: 'USD', currencyDivisor: 100, fixed: 170, fee: 10, feePct: 0, discount: 0 },
  price: { currency: 'USD', currencyDivisor: 100, fixed: 400, fee: 0, suggestedFixed: 450 },
  createdAt: '2025-01-01T00:00:00Z',
  updatedAt: '2025-01-01T00:00:00Z',
  ...special,
});

export type ZenditOffer = ReturnType<typeof zenditOffer>;

/** The refill of `one-gb`, and of every other eSIM of the country, as our catalog names it. */
export const ZENDIT_REFILL = 'refill:two-gb';

const europe = {
  country: '',
  regions: ['Western Europe'],
  roaming: [
    { country: 'FR', dataSpeeds: ['4G'] },
    { country: 'DE', dataSpeeds: ['4G'] },
  ],
  dataSpeeds: ['4G'],
};
const world = {
  country: '',
  regions: ['Global'],
  subTypes: ['Fast'],
  dataGB: 0,
  dataUnlimited: true,
  roaming: [
    { country: 'US', dataSpeeds: ['5G'] },
    { country: 'JP', dataSpeeds: ['4G'] },
  ],
};

/** What is sold: two of a country, a region, the world, one that is disabled, and two that we cannot sell. */
export const zenditOffers = (): ZenditOffer[] => [
  zenditOffer('one-gb'),
  zenditOffer('two-gb', {
    dataGB: 2.048,
    durationDays: 10,
    cost: { currency: 'USD', currencyDivisor: 100, fixed: 300, fee: 0, feePct: 0, discount: 0 },
    price: { currency: 'USD', currencyDivisor: 100, fixed: 600, fee: 0 },
  }),
  zenditOffer('ESIM-WEU-30D-5GB', { ...europe, dataGB: 5, durationDays: 30 }),
  zenditOffer('ESIM-GL-1D-UNL', { ...world, durationDays: 1 }),
  zenditOffer('ESIM-US-OFF', { enabled: false }),
  zenditOffer('ESIM-US-RANGE', { priceType: 'RANGE' }),
  zenditOffer('ESIM-US-EUR', { cost: { currency: 'EUR', currencyDivisor: 100, fixed: 170, fee: 0 } }),
];
