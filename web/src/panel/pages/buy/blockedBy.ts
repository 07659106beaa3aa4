const sentences: Readonly<Record<string, string>> = {
  insufficient_balance: 'Your balance is lower than the price. Top up first.',
  credit_limit_exceeded: 'The price is more than the credit you have left.',
  partner_account_suspended: 'Your account is suspended. Contact the operator to reactivate it.',
  product_not_found: 'This plan is not on sale now.',
};

/** Why something cannot be bought now, by the code a purchase would be refused with. */
export const blockedBy = (code: string): string => sentences[code] ?? `It can’t be bought now (${code}).`;
