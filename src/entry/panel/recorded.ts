import type { Actor } from '../../actions/actor.ts';
import { change } from '../../platform/audit/audit-log.ts';
import type { AuditKind } from '../../platform/audit/sentences.ts';
import type { Mode } from '../../platform/contract/mode.ts';
import type { Form } from '../../platform/http/form.ts';

/** The changes of the API that the activity of an account names when a member makes them in the panel. */
const kinds: Readonly<Record<string, AuditKind>> = {
  '/esim/suspend': 'esim suspend',
  '/esim/resume': 'esim resume',
  '/esim/replace': 'esim replace',
  '/esim/autorefill': 'esim autorefill',
};
/** What was wanted, as far as the entry says it. */
const said = ['product_id', 'at_percent', 'times', 'max_price', 'off'];

/**
 * Writes the entry of a change that was carried out. A supplier is asked in between, so it has a transaction of its own: if a process
 * dies before it, the panel repeats the request under its key, which changes nothing more and is recorded then.
 */
export async function recordChange(actor: Actor, mode: Mode, path: string | undefined, sent: Form): Promise<void> {
  const kind = kinds[path ?? ''];
  if (kind === undefined) return;
  const { db, who, confinedTo } = actor;
  const iccid = String(sent.get('iccid') ?? '').trim();
  const wanted = Object.fromEntries(said.flatMap((field) => (sent.get(field) ? [[field, sent.get(field)]] : [])));
  await change({ db, who, confinedTo }, kind, () => ({
    target: `eSIM ${iccid}`,
    after: { mode, iccid, ...wanted },
    result: undefined,
  }));
}
