import type { PlanFacts } from '../../../../src/entry/api/endpoints/catalog/rows.ts';
import { count } from '../../parts/count.ts';

const activations: Readonly<Record<string, string>> = {
  'first-usage': 'When first used',
  installation: 'When installed',
};

/** When the days begin to count, in words; null: unknown. */
export const activationText = (policy: string | null): string | null => policy && (activations[policy] ?? policy);

/** Good to know before selling a plan. Empty: nothing to say. */
export const factList = (of: PlanFacts): readonly (readonly [name: string, value: string])[] => [
  ['Networks', of.networks.join(', ')],
  ['Validity starts', activationText(of.activation_policy) ?? ''],
  ['Can be refilled', of.refillable ? 'Yes' : 'No'],
  ['Identity check', of.kyc_required ? 'Required' : ''],
  ['APN', of.apn.type === 'automatic' ? 'Automatic' : (of.apn.value ?? of.apn.type)],
  ['Calls', of.voice_minutes > 0 ? count(of.voice_minutes, 'minute') : ''],
  ['Texts', of.sms > 0 ? count(of.sms, 'text') : ''],
  ['Install within', of.install_window_days === null ? '' : count(of.install_window_days, 'day')],
];
