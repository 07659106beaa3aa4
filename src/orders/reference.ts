import type { World } from '../worlds/world.ts';

/** Our name for an order at its supplier, the same at every try. */
export const referenceOf = (world: Pick<World, 'schema'>, orderId: bigint): string => `wf-${world.schema}-${orderId}`;
