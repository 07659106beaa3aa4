/** What a restricted key may do: any of these. Each endpoint needs one of them (`permission` of its declaration). */
export const keyPermissions = ['read', 'buy', 'money', 'webhooks'] as const;
export type KeyPermission = (typeof keyPermissions)[number];
