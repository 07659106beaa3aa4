import type { Mode } from '../paths.ts';
import { postV3 } from './client.ts';
import { v3 } from './queries.ts';

export interface History {
  readonly ledger: readonly {
    readonly id: number;
    readonly type: 'topup' | 'purchase' | 'refund' | 'adjust' | 'promo' | 'profit_share';
    readonly amount: number;
    readonly balance_after: number;
    readonly order_id: number | null;
    readonly note: string;
    readonly date: string;
  }[];
  readonly balances: {
    readonly balance: number;
    readonly promo: number;
    readonly cash: number;
    readonly debt: number;
  };
}

export interface Statement {
  readonly billing_mode: 'prepaid' | 'postpaid';
  readonly credit_limit: string;
  readonly outstanding: string;
  readonly available: string;
  /** 1 active, 2 suspended */
  readonly status: number;
  readonly ledger: readonly {
    readonly id: number;
    readonly type: 'charge' | 'payment' | 'adjust' | 'refund' | 'profit_share';
    readonly amount: string;
    readonly balance_after: string;
    readonly note: string;
    readonly date: string;
  }[];
}

export interface Share {
  readonly id: number;
  readonly order_id: number;
  readonly product_title: string;
  readonly plan_mb: number;
  readonly unused_mb: number;
  readonly share_pct: string;
  readonly amount: string;
  readonly channel: '' | 'wallet' | 'debt' | 'split' | 'none';
  readonly status: 'shadow' | 'settled';
  readonly capped: 0 | 1;
  readonly date: string;
}

interface RevenueShare {
  readonly profit_share_enabled: 0 | 1;
  readonly items: readonly Share[];
  readonly total_share: string;
  readonly total_unused_mb: number;
}

export interface Pricing {
  readonly margin_share_pct: number;
  readonly margin_share_source: 'default' | 'tier' | 'account';
  readonly tier?: {
    readonly window_days: number;
    readonly topup_usd: number;
    readonly current_pct: number;
    readonly next_min_usd: number | null;
    readonly next_pct: number | null;
  };
  readonly total_share_cap_pct: number;
  readonly active_rule_count: number;
  readonly average_discount_pct: number | null;
  readonly sample_size: number;
  readonly sample_scope: string;
}

const page = (start: number, limit: number) => ({ start, limit });

export const history = (mode: Mode, start: number, limit: number) =>
  v3<History>(mode, 'account/history', page(start, limit));
export const statement = (mode: Mode, start: number, limit: number) =>
  v3<Statement>(mode, 'account/statement', page(start, limit));
export const revenueShare = (mode: Mode, start: number, limit: number) =>
  v3<RevenueShare>(mode, 'account/profitshare', page(start, limit));
export const pricing = (mode: Mode) => v3<{ pricing: Pricing }>(mode, 'account/pricing');

export interface TopUp {
  readonly client_secret: string;
  readonly payment_key: string;
  readonly amount: number;
}

export const openTopUp = (mode: Mode, amount: string) => postV3<TopUp>(mode, 'account/topup', { amount });
export const confirmTopUp = (mode: Mode, payment_key: string) =>
  postV3<{ balance: number }>(mode, 'account/topupConfirm', { payment_key });
