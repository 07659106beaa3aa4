import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);

/** undici, loaded with the first call: it is a hundred modules, and most commands make no calls. */
export const undici = (): typeof import('undici') => load('undici');
