import { Type } from 'typebox';
import type { Catalog } from '../../catalog/catalog.ts';
import { timestamp } from '../../clock.ts';
import { usageStates } from '../../suppliers/suppliers.ts';
import type { Usage } from '../../usage/usage.ts';
import type { Described } from '../endpoint.ts';
import { nullable } from '../views.ts';

/** The contract's Usage resource. */
export const usageSchema = Type.Object({
  iccid: Type.String(),
  sale_id: Type.Integer(),
  title: Type.String(),
  status: Type.Enum([...usageStates]),
  tone: Type.Enum(['ok', 'warning', 'danger']),
  total_mb: Type.Integer(),
  used_mb: Type.Integer(),
  remaining_mb: Type.Integer(),
  percent_remaining: Type.Integer(),
  is_unlimited: Type.Boolean(),
  fair_use_text: Type.String(),
  activated_at: nullable(Type.String()),
  expires_at: nullable(Type.String()),
  days_left: nullable(Type.Integer()),
  fetched_at: Type.String(),
});

export function usageView(found: Usage, catalog: Catalog): Described<typeof usageSchema> {
  return {
    iccid: found.iccid,
    sale_id: Number(found.orderId),
    title: found.productTitle,
    status: found.status,
    tone: found.tone,
    total_mb: found.totalMb,
    used_mb: found.usedMb,
    remaining_mb: found.remainingMb,
    percent_remaining: found.percentRemaining,
    is_unlimited: found.isUnlimited,
    fair_use_text: catalog.byAlias(found.productId)?.fairUse.text ?? '',
    activated_at: timestamp(found.activatedAt),
    expires_at: timestamp(found.expiresAt),
    days_left: found.daysLeft,
    fetched_at: timestamp(found.fetchedAt),
  };
}
