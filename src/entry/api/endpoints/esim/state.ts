import type { EsimState } from '../../../../domains/sales/esims/esims.ts';
import { type Meanings, vocabulary } from '../../../../platform/contract/described.ts';
import { usageMeanings } from '../order/usage-view.ts';

export const esimMeanings = {
  ...usageMeanings,
  cancelled: 'Withdrawn at its supplier after a refund.',
  suspended: 'Switched off with `esim/suspend`.',
} satisfies Meanings<EsimState>;

export const esimState = vocabulary('The state of the eSIM.', esimMeanings);
