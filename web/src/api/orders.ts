import type { Mode } from '../paths.ts';
import { v3 } from './queries.ts';

interface OrderFields {
  readonly id: string;
  readonly product_id: string;
  readonly product_title: string;
  readonly title_display: string;
  readonly product_price: string;
  readonly sale_price: string;
  readonly date: string;
  readonly status: string;
  readonly api_sale_id: string;
  readonly api_sale_code: string;
  readonly data: string;
  readonly day: string;
  readonly fair_use_text: string;
  readonly country_code: string;
  readonly country_image: string;
  readonly country_name: string;
}

export interface OrderRow extends OrderFields {
  readonly esim: { readonly iccid: string };
}

export interface OrderDetail {
  readonly order: OrderFields & { readonly is_unlimited: boolean; readonly operator_title: string };
  readonly esim: {
    readonly qrcode: string | null;
    readonly qrcode_url: string | null;
    readonly iccid: string | null;
    readonly lpa: string | null;
    readonly matching_id: string | null;
    readonly smdpAddress: string | null;
    readonly activationCode: string | null;
    readonly confirmation_code: string | null;
    readonly msisdn: string | null;
    readonly apn_value: string | null;
  };
  readonly operator_meta: { readonly activation_policy: string | null; readonly warning: string | null };
}

export interface Usage {
  readonly status: 'not_active' | 'active' | 'depleted' | 'expired';
  readonly tone: 'ok' | 'warning' | 'danger';
  readonly total_mb: number;
  readonly used_mb: number;
  readonly remaining_mb: number;
  readonly percent_remaining: number;
  readonly is_unlimited: boolean;
  readonly activated_at: string | null;
  readonly expires_at: string | null;
  readonly days_left: number | null;
  readonly fetched_at: string;
}

export const orders = (mode: Mode, page: number, limit: number) =>
  v3<{ order: OrderRow[] }>(mode, 'order/get', { limit, start: page });

/** Holds activation data: not kept once the page is left. */
export const order = (mode: Mode, id: string) => ({ ...v3<OrderDetail>(mode, `order/detail/${id}`), gcTime: 0 });

export const usage = (mode: Mode, iccid: string) => v3<{ usage: Usage }>(mode, `order/usage/${iccid}`);

/** A plan to show in an example: the cheapest of a destination most catalogs have. */
export const examplePlan = (mode: Mode) =>
  v3<{ products: { id: string; title: string }[] }>(mode, 'catalog/products', { country: 'FR', limit: 1 });
