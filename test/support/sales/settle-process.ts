import { liveConnection, revenueShareOn } from './shares.ts';

/** A settlement in a process of its own, to be killed: node settle-process.ts URL NOW */
const [url = '', now] = process.argv.slice(2);
const db = liveConnection(url);
console.log('ready');
await revenueShareOn(db).settle(Number(now));
await db.close();
