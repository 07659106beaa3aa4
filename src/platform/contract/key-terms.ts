/** What a restricted key may do: any of these. Each endpoint needs one of them (`permission` of its declaration). */
export const keyPermissions = ['read', 'buy', 'money', 'webhooks'] as const;
export type KeyPermission = (typeof keyPermissions)[number];

/** Requests per minute, per key and tier; an operator can set another ceiling for one key. */
export const tiers = { catalog: 900, read: 360, purchase: 150, money: 30, outbound: 18 } as const;

export type Tier = keyof typeof tiers;
export const tierNames = Object.keys(tiers) as Tier[];
