const names: Readonly<Record<string, string>> = {
  order: 'order',
  find: 'look-up of an order',
  usage: 'usage reading',
  plans: 'price list',
  balance: 'balance',
  withdraw: 'withdrawal',
};

export const callName = (call: string | null): string => names[call ?? ''] ?? call ?? '';
