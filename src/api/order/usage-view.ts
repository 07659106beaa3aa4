import { Type } from 'typebox';
import type { Catalog } from '../../catalog/catalog.ts';
import { usageStates } from '../../suppliers/suppliers.ts';
import type { Usage } from '../../usage/usage.ts';
import { usageBlock } from '../../webhooks/webhooks.ts';
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

export const usageView = (found: Usage, catalog: Catalog): Described<typeof usageSchema> =>
  usageBlock({ ...found, fairUseText: catalog.byAlias(found.productId)?.fairUse.text ?? '' });
