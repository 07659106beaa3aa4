import { builtProgram, nameSourcesInStacks } from './platform/start/built-program.ts';

const built = builtProgram();
if (built) nameSourcesInStacks(built);
const { main } = (await import(built ?? './program.ts')) as typeof import('./program.ts');
process.exitCode = await main(process.argv.slice(2));
