import { main } from '../../../src/program.ts';

process.exitCode = await main(process.argv.slice(2));
