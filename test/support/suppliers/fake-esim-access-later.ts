import { type Clock, DAY } from '../../../src/platform/clock.ts';
import { no, ok } from './fake-esim-access-answers.ts';
import type { EsimAccessPackage } from './fake-esim-access-packages.ts';
import type { Reply } from './fake-http.ts';

export interface EsimAccessProfile {
  [name: string]: unknown;
  readonly esimTranNo: string;
  readonly iccid: string;
  esimStatus: string;
  smdpStatus: string;
  expiredTime: string | null;
  totalVolume: number;
  totalDuration: number;
  orderUsage: number;
  readonly packageList: Record<string, unknown>[];
}

interface EsimAccessRefill {
  readonly packageCode: string;
  readonly esimTranNo: string;
  /** How often it was ordered. */
  times: number;
}

const REFILLABLE = ['GOT_RESOURCE', 'IN_USE', 'USED_UP'];

/** States of an installed eSIM whose service can be switched off. */
const RUNNING = ['ONBOARD', 'IN_USE', 'USED_UP'];

/** What happens to an eSIM after it was sold: refills, cancelling, suspending. */
export function fakeLater(
  clock: Clock,
  profiles: () => readonly EsimAccessProfile[],
  sold: () => readonly EsimAccessPackage[],
) {
  const refills = new Map<string, EsimAccessRefill>();

  function profileOf({ esimTranNo, iccid }: Record<string, unknown>): EsimAccessProfile | undefined {
    return profiles().find((one) => (esimTranNo === undefined ? one.iccid === iccid : one.esimTranNo === esimTranNo));
  }

  function refill(payload: Record<string, unknown>, answersAs?: string): Reply {
    const { transactionId, packageCode, amount } = payload;
    if (typeof transactionId !== 'string' || typeof packageCode !== 'string') return no('000105');
    if (transactionId.length > 50) return no('000107');
    const profile = profileOf(payload);
    if (!profile) return no('310403');
    const before = refills.get(transactionId);
    if (before) {
      before.times += 1;
      return ok(shown(transactionId, profile));
    }
    if (!packageCode.startsWith('TOPUP_')) return no('310242');
    const plan = sold().find((one) => one.packageCode === packageCode);
    if (!plan) return no('310241');
    if (!REFILLABLE.includes(profile.esimStatus)) return no('200002');
    if (amount !== undefined && amount !== plan.price) return no('200006');
    add(profile, plan, transactionId);
    return ok(shown(answersAs ?? transactionId, profile));
  }

  function add(profile: EsimAccessProfile, plan: EsimAccessPackage, transactionId: string): void {
    const { packageCode, slug, duration, volume } = plan;
    const esimTranNo = `2210279999${String(refills.size + 1).padStart(4, '0')}`;
    refills.set(transactionId, { packageCode, esimTranNo: profile.esimTranNo, times: 1 });
    profile.packageList.push({ packageCode, slug, duration, volume, esimTranNo, transactionId });
    profile.totalVolume += volume;
    profile.totalDuration += duration;
    if (profile.esimStatus === 'GOT_RESOURCE') return;
    profile.esimStatus = 'IN_USE';
    const end = Math.max(Date.parse(profile.expiredTime ?? ''), clock.now());
    profile.expiredTime = new Date(end + duration * DAY).toISOString();
  }

  function shown(transactionId: string, profile: EsimAccessProfile): Record<string, unknown> {
    const { iccid, expiredTime, totalVolume, totalDuration, orderUsage, packageList } = profile;
    const topUpEsimTranNo = packageList.find((one) => one.transactionId === transactionId)?.esimTranNo;
    return { transactionId, iccid, expiredTime, totalVolume, totalDuration, orderUsage, topUpEsimTranNo };
  }

  function cancel(payload: Record<string, unknown>): Reply {
    const profile = profileOf(payload);
    if (!profile) return no('310403');
    if (profile.esimStatus !== 'GOT_RESOURCE' || profile.smdpStatus !== 'RELEASED') return no('200002');
    profile.esimStatus = 'CANCEL';
    return ok({});
  }

  /** What an eSIM was before it was suspended. */
  const before = new Map<string, string>();

  /** One that is in that state already is refused, as their documents do not promise otherwise. */
  function setService(payload: Record<string, unknown>, suspend: boolean): Reply {
    const profile = profileOf(payload);
    if (!profile || Object.keys(payload).join() !== 'esimTranNo') return no('310403');
    const { esimTranNo, esimStatus } = profile;
    if (suspend ? !RUNNING.includes(esimStatus) : esimStatus !== 'SUSPENDED') return no('200002');
    if (suspend) before.set(esimTranNo, esimStatus);
    profile.esimStatus = suspend ? 'SUSPENDED' : (before.get(esimTranNo) ?? 'IN_USE');
    return ok({});
  }

  return { refills, refill, cancel, setService };
}
