import { liveCodes } from '../contract/codes.ts';
import { ledgerBooks } from '../money/books.ts';
import { createProvisioning } from '../purchase/provision.ts';
import { openCheckout } from '../purchase/purchase.ts';
import { shareBook } from '../revenue-share/revenue-share.ts';
import type { Suppliers } from '../suppliers/registry.ts';
import type { CardPayments } from '../topups/cards.ts';
import type { TopupTerms } from '../topups/topups.ts';
import type { World, WorldParts } from './world.ts';

export const liveTopupTerms: TopupTerms = {
  keyPrefix: 'topup_',
  openStatus: 'requires_payment',
  clearing: 'card_clearing',
};

/** Real orders, real money. */
export function liveWorld(parts: WorldParts & { suppliers: Suppliers; cards: CardPayments | undefined }): World {
  const { db, suppliers, cards } = parts;
  const supplied = {
    schema: 'live',
    db,
    suppliers,
    webhooks: { eventIdPrefix: '', bodyExtra: {}, waitingLimit: undefined },
  } as const;
  const ports = {
    ...supplied,
    livemode: true,
    provisioning: createProvisioning(supplied, parts),
    // A job brings live orders up to date.
    beforeRead: async () => 0,
    readScript: () => ({}),
    codes: liveCodes,
    cards,
    topupTerms: liveTopupTerms,
  } as const;
  return { ...ports, checkout: openCheckout(ports, parts), books: { ...ledgerBooks(db), ...shareBook(db) } };
}
