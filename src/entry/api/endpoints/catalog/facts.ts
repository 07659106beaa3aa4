import type { Plan } from '../../../../domains/catalog/catalog.ts';
import { planApn } from '../../../../domains/sales/esims/esims.ts';
import { named, nullable } from '../../../../platform/contract/described.ts';
import { Type } from '../../../../platform/contract/schema.ts';
import type { Described } from '../../endpoint.ts';

/** What a traveller wants to know before buying, beyond data, days and price. */
export const factFields = {
  networks: Type.Array(Type.String(), {
    description: 'The mobile networks the eSIM uses; empty if the supplier does not say.',
    examples: [['NTT Docomo']],
  }),
  activation_policy: Type.String({
    description: 'When the days begin to count: `first-usage`, `installation`, or what else the supplier says.',
    examples: ['first-usage'],
  }),
  refillable: Type.Boolean({
    description: 'Whether data can be added to the eSIM later. `esim/refills` lists what fits.',
  }),
  kyc_required: Type.Boolean({ description: 'Whether the traveller has to be identified before it works.' }),
  apn: named('ProductApn', 'How the phone gets its access point name.', {
    type: Type.String({ description: '`automatic`, or `manual` if the traveller has to type it in.' }),
    value: nullable(
      Type.String({ description: 'The name to type in; null if it is automatic.', examples: ['internet'] }),
    ),
  }),
  voice_minutes: Type.Integer({ description: 'Minutes of calls; 0 if none are included.' }),
  sms: Type.Integer({ description: 'Text messages; 0 if none are included.' }),
  install_window_days: nullable(
    Type.Integer({
      description:
        'Within how many days of the purchase the eSIM has to be installed; null if the supplier does not say.',
      examples: [180],
    }),
  ),
};

export type PlanFacts = { readonly [Name in keyof typeof factFields]: Described<(typeof factFields)[Name]> };

/** Those that plans of one network share. */
export const networkFacts = ({ networks, meta }: Plan['network']) => ({
  networks: networks ?? [],
  activation_policy: meta.activation_policy,
  refillable: meta.rechargeability,
  kyc_required: meta.is_kyc_verify,
  apn: planApn(meta),
});

export const ownFacts = ({ voice, text, installWindowDays }: Plan) => ({
  voice_minutes: voice ?? 0,
  sms: text ?? 0,
  install_window_days: installWindowDays,
});

export const planFacts = (plan: Plan): PlanFacts => ({ ...networkFacts(plan.network), ...ownFacts(plan) });
