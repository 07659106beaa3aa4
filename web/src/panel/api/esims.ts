import type { ReplyOf } from '../../../../src/entry/api/endpoint.ts';
import type { autorefill } from '../../../../src/entry/api/endpoints/esim/autorefill.ts';
import type { detail } from '../../../../src/entry/api/endpoints/esim/detail.ts';
import type { list } from '../../../../src/entry/api/endpoints/esim/list.ts';
import type { refills as refillsOf } from '../../../../src/entry/api/endpoints/esim/refills.ts';
import type { replace } from '../../../../src/entry/api/endpoints/esim/replace.ts';
import type { resume } from '../../../../src/entry/api/endpoints/esim/resume.ts';
import type { suspend } from '../../../../src/entry/api/endpoints/esim/suspend.ts';
import type { Mode } from '../../parts/mode.ts';
import type { Change } from '../../parts/server/client.ts';
import { postV3, v3 } from './v3.ts';

export type EsimRow = ReplyOf<typeof list>['esims'][number];
export type EsimDetail = ReplyOf<typeof detail>;
export type EsimState = EsimRow['state'];
export type EsimProfile = EsimRow['profile'];
export type EsimOrder = EsimDetail['orders'][number];
export type Usage = NonNullable<EsimDetail['usage']>;
export type RefillPlan = ReplyOf<typeof refillsOf>['products'][number];

export const esims = (
  mode: Mode,
  query: { state?: string | undefined; before_id?: string | undefined },
  limit: number,
) => v3<ReplyOf<typeof list>>(mode, 'esim/list', { limit, ...query });

/** Contains activation data, so it is dropped from the cache when the page is left. */
export const esim = (mode: Mode, iccid: string) => ({ ...v3<EsimDetail>(mode, `esim/detail/${iccid}`), gcTime: 0 });

export const refills = (mode: Mode, iccid: string) => v3<ReplyOf<typeof refillsOf>>(mode, `esim/refills/${iccid}`);

/** Asked again, both give the same answer and change nothing. */
export const suspendEsim = (mode: Mode, iccid: string) =>
  postV3<ReplyOf<typeof suspend>>(mode, 'esim/suspend', { iccid });
export const resumeEsim = (mode: Mode, iccid: string) => postV3<ReplyOf<typeof resume>>(mode, 'esim/resume', { iccid });

/** Set again, the same rule changes nothing while it is at work. */
export const setAutorefill = (
  mode: Mode,
  iccid: string,
  rule: { product_id: string; at_percent: string; times: string; max_price: string },
) => postV3<ReplyOf<typeof autorefill>>(mode, 'esim/autorefill', { iccid, ...rule });
export const endAutorefill = (mode: Mode, iccid: string) =>
  postV3<ReplyOf<typeof autorefill>>(mode, 'esim/autorefill', { iccid, off: '1' });

/** Free of charge. The key of the change is its idempotency key, too: a repeat finds the replacement that was made. */
export const replaceEsim =
  (mode: Mode, iccid: string, reason: string): Change<ReplyOf<typeof replace>> =>
  (key) =>
    postV3<ReplyOf<typeof replace>>(mode, 'esim/replace', { iccid, idempotency_key: `panel-${key}`, reason })(key);
