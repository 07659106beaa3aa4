import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A program of this folder in its own process, called by messages; it ends when it is disposed of. */
export interface Child extends AsyncDisposable {
  readonly pid: number;
  ask<Answer>(question: object): Promise<Answer>;
}

export function startChild(file: URL, env: NodeJS.ProcessEnv = {}): Child {
  const child = fork(fileURLToPath(file), {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit').then(([code]): never => {
    throw new Error(`${file} ended with ${code}`);
  });
  ended.catch(() => {});
  return {
    pid: child.pid ?? 0,
    async ask<Answer>(question: object) {
      const answered = new Promise<Answer>((resolve) => child.once('message', (answer) => resolve(answer as Answer)));
      child.send(question);
      return Promise.race([answered, ended]);
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      if (child.connected) child.disconnect();
      await gone;
    },
  };
}

/** The other side: answers one message after the other until the parent disconnects. */
export function answerParent<Question>(
  answer: (question: Question) => Promise<object>,
  end: () => Promise<void>,
): void {
  process.on('message', async (question: Question) => process.send?.(await answer(question)));
  process.once('disconnect', async () => {
    await end();
    process.exit();
  });
}
