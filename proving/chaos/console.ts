import { request } from 'undici';
import { operatorAccess, operators } from '../../src/domains/partners/people/people.ts';
import type { Base } from '../../src/worlds/base.ts';

export interface ConsoleAnswer {
  readonly status: number;
  readonly text: string;
  /** Of a refusal. */
  readonly code: string | undefined;
}

/** An operator who is signed in to the console. */
export interface Operator {
  /** Runs a command as a page does; undefined: the connection was lost, so the outcome is unknown. */
  run(
    command: string,
    input: Readonly<Record<string, string | boolean>>,
    key: string,
  ): Promise<ConsoleAnswer | undefined>;
}

let people = 0;

/** A new operator each time, so that none reaches a limit. */
export async function signedIn(base: Base, panel: () => string): Promise<Operator> {
  const now = Date.now();
  const email = `chaos-${++people}@example.com`;
  const token = await base.db.tx(async (tx) => {
    const { operatorId } = await operators.create(tx, { email, role: 'admin' }, now);
    return operatorAccess.sessions.open(tx, operatorId, now);
  });
  return {
    async run(command, input, key) {
      try {
        const answer = await request(`${panel()}/operator/api/run/${command.replaceAll(' ', '/')}`, {
          method: 'POST',
          headers: {
            origin: panel(),
            cookie: `wayfare_operator=${token}`,
            'content-type': 'application/json',
            'idempotency-key': key.replaceAll(' ', '-'),
          },
          body: JSON.stringify({ input }),
        });
        const text = await answer.body.text();
        return { status: answer.statusCode, text, code: JSON.parse(text).error?.code };
      } catch {
        return undefined;
      }
    },
  };
}
