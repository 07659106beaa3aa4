import { namedProgram } from '../test/support/named-program.ts';

/** `npm run proof ha`, `npm run proof scale` */
const proof = namedProgram('proof', import.meta.url);
if (proof) await import(proof);
