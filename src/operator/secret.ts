import { audit } from '../actions/audit-log.ts';
import { resealAll } from '../secret-rotation.ts';
import { renewMark } from '../vault-mark.ts';
import { command } from './command.ts';

export const secretCommands = [
  command({
    path: ['secret', 'rotate'],
    summary: 'Seal everything anew with WAYFARE_SECRET; WAYFARE_SECRET_OLD is not needed after it',
    async run({ db, vault, who, progress }) {
      let resealed = 0;
      // A server may still have been at work with the old secret; the last look finds nothing.
      for (let found = 1; found > 0; resealed += found) found = await resealAll(db, vault, progress);
      await db.tx(async (tx) => {
        await renewMark(tx, vault);
        await audit(tx, { who, what: 'secret rotate', target: 'vault', after: { resealed } });
      });
      return { resealed };
    },
  }),
];
