/**
 * `pending`: waits for its first attempt, or to be sent again after it was delivered; `failed`: will be retried; `dead`: given up,
 * can be requeued.
 */
export const deliveryStatuses = ['pending', 'sent', 'failed', 'dead'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];
