import type { Command } from './command.ts';
import { listenCommand } from './listen.ts';
import { mcpCommand } from './mcp.ts';
import { triggerCommand } from './trigger.ts';

export { openClient } from './client.ts';

/** Commands a developer runs with their own key, against the sandbox unless they ask for more. */
export const clientCommands: readonly Command[] = [listenCommand, triggerCommand, mcpCommand];
