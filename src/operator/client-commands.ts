import type { Command } from './command.ts';
import { listenCommand } from './listen.ts';
import { triggerCommand } from './trigger.ts';

export { openClient } from './client.ts';

/** What a developer runs against the sandbox with a key of their own. */
export const clientCommands: readonly Command[] = [listenCommand, triggerCommand];
