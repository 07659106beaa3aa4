import type { Language } from '../../domains/messages/texts/texts.ts';
import type { Brand, LastUsage, SharedEsim } from '../../domains/travellers/travellers.ts';
import { DAY, HOUR } from '../../platform/clock.ts';
import { travellerPage } from './page.ts';
import type { View } from './view.ts';

export const previewStates = ['not_active', 'active', 'depleted', 'expired'] as const;

interface Preview {
  readonly brand: Brand;
  readonly language: Language;
  readonly state: (typeof previewStates)[number];
  readonly now: number;
}

const PLAN_MB = 5 * 1024;

/** The page as a traveller would see it with this brand, with an eSIM that does not exist. It can fetch nothing. */
export const previewOf = (of: Preview): string => travellerPage(sampleView(of)).text;

/** An eSIM that does not exist. */
export function sampleView({ brand, language, state, now }: Preview): View {
  const shared: SharedEsim = {
    orderId: 0n,
    linkedOrderId: 0n,
    partnerId: 0,
    reference: '',
    productId: '',
    productTitle: '5 GB 30 days',
    planMb: PLAN_MB,
    day: 30,
    isUnlimited: false,
    refills: 0,
    isInstalled: state !== 'not_active',
    isSuspended: false,
    takesRefills: brand.refillUrl !== '' && state !== 'expired',
    countryCode: 'JP',
    esim: {
      iccid: '8900000000000000000',
      smdpAddress: 'rsp.example.com',
      matchingId: 'EXAMPLE-CODE',
      activationCode: 'LPA:1$rsp.example.com$EXAMPLE-CODE',
      ...{ appleUrl: null, confirmationCode: null, msisdn: null },
      ...{ apn: null, apnType: 'automatic', apnValue: null, isRoaming: true },
    },
    usage: usageIn(state, now),
    aheadMs: 0,
    brand,
    isTest: false,
  };
  const notes = { place: null, startsOnInstall: false, isRoaming: true, apn: null, warning: null };
  return { shared, notes, language, device: 'iphone', path: null, now };
}

const shares = { active: 0.62, depleted: 0, expired: 0.3 } as const;

function usageIn(status: Preview['state'], now: number): LastUsage | null {
  if (status === 'not_active') return null;
  const remainingMb = Math.round(PLAN_MB * shares[status]);
  return {
    status,
    isUnlimited: false,
    tone: status === 'active' ? 'ok' : 'danger',
    totalMb: PLAN_MB,
    usedMb: PLAN_MB - remainingMb,
    remainingMb,
    percentRemaining: Math.round(shares[status] * 100),
    daysLeft: status === 'expired' ? 0 : 12,
    expiresAt: new Date(now + (status === 'expired' ? -DAY : 12 * DAY + HOUR)),
    fetchedAt: new Date(now),
  };
}
