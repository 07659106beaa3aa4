export interface EsimGoBundle {
  [field: string]: unknown;
  readonly name: string;
  price: number;
}

/** A bundle as the catalogue shows it: decimal MB, days, and a price in the account's currency. */
export const esimGoBundle = (name: string, special: Record<string, unknown> = {}): EsimGoBundle => ({
  name,
  description: 'eSIM, 1GB, 7 Days, United Kingdom, V2',
  groups: ['Standard Fixed'],
  countries: [{ name: 'United Kingdom', region: 'Europe', iso: 'GB' }],
  roamingEnabled: [{ name: 'Isle of Man', region: 'Europe', iso: 'IM' }],
  dataAmount: 1000,
  duration: 7,
  durationUnit: 'day',
  speed: ['4G', '5G'],
  autostart: true,
  unlimited: false,
  price: 2.28,
  billingType: 'FixedCost',
  profileName: 'Profile 1',
  allowances: [
    { type: 'DATA', service: 'STANDARD', description: 'data', amount: 1000, unit: 'MB', unlimited: false },
    { type: 'VOICE', service: 'STANDARD', description: 'calls', amount: 30, unit: 'MINS', unlimited: false },
  ],
  ...special,
});

export const ESIM_GO_ONE = 'esim_1GB_7D_GB_V2';
export const ESIM_GO_TWO = 'esim_2GB_10D_GB_V2';

const europe = {
  countries: [{ name: 'Europe+', region: 'Europe', iso: 'REUP' }],
  roamingEnabled: [{ name: 'France', region: 'Europe', iso: 'FR' }, 'DE', { name: 'Europe+', iso: 'REUP' }],
  allowances: null,
  speed: ['4G'],
};

/** What is sold: a country, a region, one without a limit, one of another provider, and one that we cannot sell. */
export const esimGoBundles = (): EsimGoBundle[] => [
  esimGoBundle(ESIM_GO_ONE),
  esimGoBundle(ESIM_GO_TWO, { dataAmount: 2000, duration: 10, price: 4.1 }),
  esimGoBundle('esim_500MB_1D_GB_V2', { dataAmount: 500, duration: 1, price: 1, profileName: 'Profile 2' }),
  esimGoBundle('esim_5GB_30D_REUP_V2', { ...europe, dataAmount: 5000, duration: 30, price: 9.99 }),
  esimGoBundle('esim_ULE_7D_GB_V2', { groups: ['Unlimited Essential'], dataAmount: -1, unlimited: true, price: 12 }),
  esimGoBundle('esim_payg_GB', { billingType: 'Rated' }),
];
