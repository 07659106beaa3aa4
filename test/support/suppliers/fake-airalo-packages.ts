/** Packages of Airalo's own test mode, by the code they are answered with. */
export const sandboxPackages: Readonly<Record<string, number>> = {
  'test-insufficient-balance-7days-1gb': 11,
  'test-maintenance-mode-7days-1gb': 13,
  'test-disabled-top-up-7days-1gb': 23,
  'test-not-enough-7days-1gb': 33,
  'test-out-of-stock-7days-1gb': 34,
};

/** A package as the list shows it; `special` is what the test is about. */
export const airaloPackage = (id: string, special: Record<string, unknown> = {}) => ({
  id,
  type: 'sim',
  price: 4 as number | null,
  net_price: 1.8 as number | null,
  amount: 1024,
  day: 7,
  is_unlimited: false,
  title: '1 GB - 7 days',
  data: '1 GB',
  voice: null,
  text: null,
  short_info: null,
  is_fair_usage_policy: false,
  fair_usage_policy: null as string | null,
  prices: { net_price: { USD: 1.8, EUR: 1.55 }, recommended_retail_price: { USD: 4 } } as object,
  ...special,
});

export type AiraloPackage = ReturnType<typeof airaloPackage>;

export const airaloOperator = (packages: AiraloPackage[], special: Record<string, unknown> = {}) => ({
  id: 1180,
  title: 'Change',
  type: 'local',
  plan_type: 'data',
  is_roaming: true,
  rechargeability: true,
  esim_type: 'Prepaid',
  warning: null,
  apn_type: 'automatic',
  apn_value: null,
  info: ['LTE Data-only eSIM.'],
  other_info: null,
  image: { width: 132, height: 100, url: 'https://airalo.invalid/change.png' },
  activation_policy: 'first-usage',
  is_kyc_verify: false,
  coverages: [{ name: 'US', code: 'US', networks: [{ name: 'T-Mobile', types: ['LTE', '5G'] }] }],
  countries: [{ country_code: 'US', title: 'United States' }],
  packages,
  ...special,
});

export type AiraloPlace = ReturnType<typeof airaloPlaces>[number];

/** The refill of `one-gb`, and of every other package of its operator. */
export const AIRALO_REFILL = 'change-7days-1gb-topup';

/** A small list: a country, a region with the operator's countries, the world, a refill, and the packages of test mode. */
export const airaloPlaces = () => [
  {
    slug: 'united-states',
    country_code: 'US',
    title: 'United States',
    operators: [
      airaloOperator([
        airaloPackage('one-gb'),
        airaloPackage(AIRALO_REFILL, { type: 'topup' }),
        ...Object.keys(sandboxPackages).map((id, i) => airaloPackage(id, { day: 8 + i })),
      ]),
    ],
  },
  {
    slug: 'europe',
    country_code: '',
    title: 'Europe',
    operators: [
      airaloOperator(
        [
          airaloPackage('eurolink-30days-unlimited', {
            amount: 0,
            day: 30,
            is_unlimited: true,
            title: 'Unlimited - 30 days',
            is_fair_usage_policy: true,
            fair_usage_policy: '1 Mbps after 3 GB per day',
            prices: { net_price: { USD: 20.123456 }, recommended_retail_price: { USD: 49.5 } },
          }),
        ],
        {
          title: 'Eurolink',
          type: 'global',
          coverages: [
            { name: 'FR', code: 'FR', networks: [{ name: 'Orange', types: ['LTE'] }] },
            { name: 'DE', code: 'DE', networks: [{ name: 'O2', types: ['3G', 'LTE'] }] },
            { name: 'Northern Cyprus', code: 'CY-N', networks: [] },
          ],
        },
      ),
    ],
  },
  {
    slug: 'world',
    country_code: null,
    title: 'World',
    operators: [
      airaloOperator([airaloPackage('discover-7days-1gb')], {
        title: 'Discover',
        type: 'global',
        coverages: [],
        countries: [{ country_code: 'US' }, { country_code: 'XK' }],
      }),
    ],
  },
];

const operatorsOf = (places: readonly AiraloPlace[]) => places.flatMap(({ operators }) => operators);

export const packageOf = (places: readonly AiraloPlace[], id: string, type?: string): AiraloPackage | undefined =>
  operatorsOf(places)
    .flatMap(({ packages }) => packages)
    .find((one) => one.id === id && (type === undefined || one.type === type));

/** What an eSIM of this package can be refilled with: what its operator sells. */
export const refillsOf = (places: readonly AiraloPlace[], packageId: string): AiraloPackage[] =>
  operatorsOf(places)
    .filter(({ rechargeability, packages }) => rechargeability && packages.some(({ id }) => id === packageId))
    .flatMap(({ packages }) => packages.filter(({ type }) => type === 'topup'));

/** The list as the query asks for it: without `include=topup` there are no refills in it. */
export const listedPlaces = (places: readonly AiraloPlace[], query: URLSearchParams): AiraloPlace[] => {
  const [type, country] = [query.get('filter[type]'), query.get('filter[country]')];
  const withRefills = (query.get('include') ?? '').split(',').includes('topup');
  return places
    .filter(({ country_code }) => country === null || country_code === country)
    .map((place) => ({
      ...place,
      operators: place.operators
        .filter((operator) => type === null || operator.type === type)
        .map((operator) => ({
          ...operator,
          packages: operator.packages.filter((one) => withRefills || one.type !== 'topup'),
        })),
    }))
    .filter(({ operators }) => operators.length > 0);
};
