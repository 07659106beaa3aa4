import type { ReplyOf } from '../../../../src/entry/api/endpoint.ts';
import type { detail } from '../../../../src/entry/api/endpoints/esim/detail.ts';
import type { list } from '../../../../src/entry/api/endpoints/esim/list.ts';
import type { refills as refillsOf } from '../../../../src/entry/api/endpoints/esim/refills.ts';
import type { Mode } from '../../parts/mode.ts';
import { v3 } from './v3.ts';

export type EsimRow = ReplyOf<typeof list>['esims'][number];
export type EsimDetail = ReplyOf<typeof detail>;
export type EsimState = EsimRow['state'];
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
