const names: Readonly<Record<string, string>> = {
  cash: 'Wallets: cash',
  promo: 'Wallets: promo credit',
  receivable: 'Receivables (invoice accounts)',
  revenue: 'Revenue',
  card_clearing: 'Card payments',
  bank_clearing: 'Bank transfers',
  promo_expense: 'Promo credit granted',
  share_expense: 'Revenue share paid',
  adjustment: 'Adjustments',
  play_money: 'Play money',
};

/** A ledger account in words. */
export const accountName = (account: string): string => names[account] ?? account;
