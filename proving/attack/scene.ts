import { type AttackStage, attackStage } from './stage.ts';
import { type Things, thingsOf } from './things.ts';

/** The shared installation that attacks explore; creating it takes longer than most attacks. */
export interface Scene {
  readonly stage: AttackStage;
  readonly things: Things;
}

/** Created when an attack first needs it, and kept for the others. */
export function sharedScene(): AsyncDisposable & { readonly open: () => Promise<Scene> } {
  let made: Promise<Scene> | undefined;
  const make = async (): Promise<Scene> => {
    await using undo = new AsyncDisposableStack();
    const stage = undo.use(await attackStage());
    const things = await thingsOf(stage);
    undo.move();
    return { stage, things };
  };
  return {
    open() {
      made ??= make();
      return made;
    },
    async [Symbol.asyncDispose]() {
      await (await made?.catch(() => undefined))?.stage[Symbol.asyncDispose]();
    },
  };
}
