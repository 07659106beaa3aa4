import { systemClock } from '../../../../platform/clock.ts';
import { openDatabase } from '../../../../platform/db/database.ts';
import { readConfig } from '../../../../platform/settings/config.ts';
import { startSimulatedService } from './service.ts';

// Runs the simulated supplier as a separate process: DATABASE_URL=… node src/domains/supply/adapters/simulated/main.ts [PORT]
const { databaseUrl } = readConfig();
if (!databaseUrl) throw new Error('DATABASE_URL is not set');
const db = openDatabase({ url: databaseUrl, name: 'simulated supplier', searchPath: 'simulated', maxConnections: 4 });
const port = Number(process.argv[2] ?? 0);
const { url } = await startSimulatedService(db, { now: systemClock.now, port });
process.stdout.write(`${url}\n`);
