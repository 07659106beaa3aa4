/** Readable names for the API's movement types. */
const names: Record<string, string> = {
  topup: 'Top-up',
  purchase: 'Purchase',
  refund: 'Refund',
  adjust: 'Adjustment',
  promo: 'Promotional credit',
  profit_share: 'Revenue share',
  charge: 'Charge',
  payment: 'Payment',
};

export const movementName = (type: string): string => names[type] ?? type;

export const PER_PAGE = 50;
