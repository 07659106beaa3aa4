import type { ReplyOf } from '../../../../src/entry/api/endpoint.ts';
import type { history as historyOf } from '../../../../src/entry/api/endpoints/account/history.ts';
import type { limits } from '../../../../src/entry/api/endpoints/account/limits.ts';
import type { pricing as pricingOf } from '../../../../src/entry/api/endpoints/account/pricing.ts';
import type { profitshare } from '../../../../src/entry/api/endpoints/account/profitshare.ts';
import type { statement as statementOf } from '../../../../src/entry/api/endpoints/account/statement.ts';
import type { topup } from '../../../../src/entry/api/endpoints/account/topup.ts';
import type { topupConfirm } from '../../../../src/entry/api/endpoints/account/topupConfirm.ts';
import type { Mode } from '../../parts/mode.ts';
import { postV3, v3 } from './v3.ts';

export type History = ReplyOf<typeof historyOf>;
export type Statement = ReplyOf<typeof statementOf>;
export type RevenueShare = ReplyOf<typeof profitshare>;
export type Share = RevenueShare['items'][number];
export type Pricing = ReplyOf<typeof pricingOf>['pricing'];
export type TopUp = ReplyOf<typeof topup>;

const page = (start: number, limit: number) => ({ start, limit });

export const history = (mode: Mode, start: number, limit: number) =>
  v3<History>(mode, 'account/history', { ...page(start, limit), ...(mode === 'sandbox' && { sandbox_ledger: 1 }) });
/** What the account may spend, with any key and in the panel. */
export const accountLimits = (mode: Mode) => v3<ReplyOf<typeof limits>>(mode, 'account/limits');
export const statement = (mode: Mode, start: number, limit: number) =>
  v3<Statement>(mode, 'account/statement', page(start, limit));
export const revenueShare = (mode: Mode, start: number, limit: number) =>
  v3<RevenueShare>(mode, 'account/profitshare', page(start, limit));
export const pricing = (mode: Mode) => v3<ReplyOf<typeof pricingOf>>(mode, 'account/pricing');

export const openTopUp = (mode: Mode, amount: string) => postV3<TopUp>(mode, 'account/topup', { amount });
export const confirmTopUp = (mode: Mode, payment_key: string) =>
  postV3<ReplyOf<typeof topupConfirm>>(mode, 'account/topupConfirm', { payment_key });
