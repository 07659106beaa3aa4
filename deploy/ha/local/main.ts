import { once } from 'node:events';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Cluster } from './cluster.ts';

/** `npm run ha [-- --dir FOLDER]`: three nodes on this machine, until Ctrl-C. What is in the folder is used again by the next start. */
const { values } = parseArgs({ options: { dir: { type: 'string', default: 'data/ha' } } });
const stopped = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
await using cluster = await Cluster.start(resolve(values.dir));
for (const { name, role } of await cluster.members()) console.log(`${name}  ${role}`);
console.log(`\nDATABASE_URL=${cluster.url}\nDATABASE_READ_URL=${cluster.readUrl}\n\nCtrl-C stops it.`);
const stay = setInterval(() => {}, 60_000);
await stopped;
clearInterval(stay);
console.log('stopping');
