/** In their units: money in ten-thousandths of a dollar, data in bytes. */
export const esimAccessPackage = (packageCode: string, special: Record<string, unknown> = {}) => ({
  packageCode,
  slug: 'JP_1_7',
  name: 'Japan 1GB 7Days',
  price: 18_000 as number | null,
  retailPrice: 36_000 as number | null,
  currencyCode: 'USD',
  volume: 1_073_741_824,
  dataType: 1,
  duration: 7,
  durationUnit: 'DAY',
  unusedValidTime: 180,
  location: 'JP',
  locationCode: 'JP',
  description: 'Japan 1GB 7Days',
  speed: '4G',
  supportTopUpType: 2,
  fupPolicy: '',
  locationNetworkList: [
    { locationName: 'Japan', locationCode: 'JP', operatorList: [{ operatorName: 'Softbank', networkType: '5G' }] },
  ],
  ...special,
});

const africa = {
  location: 'EG,MA,ZA',
  locationCode: 'AF-29',
  name: 'Africa 1GB 30Days',
  duration: 30,
  locationNetworkList: [],
};
/** Cannot be refilled. */
const several = {
  location: 'SG,MY,TH',
  locationCode: 'SGMYTH-3',
  name: 'SG MY TH 1GB 7Days',
  locationNetworkList: [],
  supportTopUpType: 1,
};
const world = {
  location: 'JP,US',
  locationCode: 'GL-120',
  name: 'Global 1GB 7Days',
  speed: '4G/5G',
  locationNetworkList: [],
  supportTopUpType: 1,
};

/** What is sold: a country, two regions, the world, a package by the day, and one that we cannot sell. */
export const esimAccessPackages = () => [
  esimAccessPackage('one-gb'),
  esimAccessPackage('AF1', africa),
  esimAccessPackage('SMT1', several),
  esimAccessPackage('GL1', world),
  esimAccessPackage('DAILY', { dataType: 2, duration: 1 }),
  esimAccessPackage('EURO', { currencyCode: 'EUR' }),
];

/** The refill of `one-gb`, and of every other package for Japan. */
export const ESIM_ACCESS_REFILL = 'TOPUP_two-gb';

/** What eSIMs can be refilled with, each for those of its area. */
export const esimAccessRefills = () => [
  esimAccessPackage(ESIM_ACCESS_REFILL, {
    name: 'Japan 2GB 10Days',
    volume: 2_147_483_648,
    duration: 10,
    price: 30_000,
    retailPrice: 60_000,
  }),
  esimAccessPackage('TOPUP_AF1', africa),
];

export type EsimAccessPackage = ReturnType<typeof esimAccessPackage>;
