import type { Destination, Plan } from '../../../src/domains/catalog/catalog.ts';
import { toCents, toMicros } from '../../../src/platform/amounts/cents.ts';

export const turkey: Destination = {
  code: 'TR',
  scope: 'country',
  title: 'Türkiye',
  slug: 'turkiye',
  region: 'europe',
  continent: 'Asia',
  image: '',
};

export const europe: Destination = { ...turkey, code: 'europe', scope: 'regional', title: 'Europe', slug: 'europe' };

let last = 0;

/** A plan with nothing special about it but what the test says. */
export function plan(special: Partial<Plan> = {}): Plan {
  last += 1;
  return {
    id: last,
    alias: `esc_${last.toString(16).padStart(16, '0')}`,
    onSale: true,
    title: 'Türkiye 1 GB 7 days',
    destination: turkey,
    supplier: { id: 1, slug: 'aurora', title: 'Aurora', kind: 'simulated' },
    supplierPlan: `plan-${last}`,
    refills: null,
    amountMb: 1024,
    day: 7,
    isUnlimited: false,
    data: '1 GB',
    networkType: '4G',
    listPrice: toCents(1000n),
    cost: toMicros(4_000_000n),
    isUsageMetered: false,
    fairUse: { kind: 'none', dailyMb: 0, speedKbps: 0, text: '' },
    voice: null,
    text: null,
    shortInfo: null,
    installWindowDays: null,
    network: {
      title: 'Türkiye Mobile',
      image: '',
      meta: {
        activation_policy: 'first-usage',
        plan_type: 'data',
        esim_type: 'Prepaid',
        is_roaming: true,
        is_kyc_verify: false,
        rechargeability: false,
        apn_type: 'automatic',
        apn_value: null,
        info: [],
        other_info: null,
        warning: null,
      },
    },
    coverage: { codes: ['TR'], names: ['Türkiye'] },
    ...special,
  };
}
