import type { Command } from './command.ts';
import { listenCommand } from './listen.ts';
import { triggerCommand } from './trigger.ts';

export { openClient } from './client.ts';

/** Commands a developer runs against the sandbox with their own key. */
export const clientCommands: readonly Command[] = [listenCommand, triggerCommand];
