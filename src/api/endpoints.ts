import { balance } from './account/balance.ts';
import type { Endpoint } from './endpoint.ts';

/** Every endpoint of the API. A new one is a file under its own path and a line here. */
export const endpoints: readonly Endpoint[] = [balance];
