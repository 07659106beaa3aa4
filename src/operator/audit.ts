import { formatCents, toCents } from '../money/money.ts';
import { type Proof, proveBooks } from '../money/proof.ts';
import { command } from './command.ts';

const MONEY = ['cash', 'promo', 'outstanding', 'revenue'];

const shown = ({ figures, drift }: Proof) => ({
  ...Object.fromEntries(
    Object.entries(figures).map(([name, value]) => [name, MONEY.includes(name) ? formatCents(toCents(value)) : value]),
  ),
  drift,
});

export const auditCommands = [
  command({
    path: ['audit'],
    summary: 'Prove the ledger of both worlds; exits with 1 on any drift',
    async run({ worlds, progress }) {
      const live = await proveBooks(worlds.live.db, (done, total) => progress('live', done, total));
      const sandbox = await proveBooks(worlds.sandbox.db, (done, total) => progress('sandbox', done, total));
      return { ok: live.drift.length + sandbox.drift.length === 0, live: shown(live), sandbox: shown(sandbox) };
    },
  }),
];
