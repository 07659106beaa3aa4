import { change } from '../../platform/audit/audit-log.ts';
import { resealAll } from '../../platform/vault/secret-rotation.ts';
import { renewMark } from '../../platform/vault/secrets.ts';
import { action } from '../action.ts';

export const secretActions = [
  action({
    name: 'secret rotate',
    console: { never: 'it needs the old and the new secret in the environment of the process' },
    summary: 'Re-encrypt everything with WAYFARE_SECRET; WAYFARE_SECRET_OLD is not needed afterwards',
    async run(context) {
      const { db, vault, progress } = context;
      let resealed = 0;
      // A server may still be writing with the old secret, so repeat until a pass finds nothing.
      for (let found = 1; found > 0; resealed += found) found = await resealAll(db, vault, progress);
      return change(context, 'secret rotate', async (tx) => {
        await renewMark(tx, vault);
        return { target: 'vault', after: { resealed }, result: { resealed } };
      });
    },
  }),
];
