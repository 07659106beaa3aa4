import type { DeveloperCommand } from './command.ts';
import { listenCommand } from './listen.ts';
import { mcpCommand } from './mcp.ts';
import { triggerCommand } from './trigger.ts';

export { WayfareConnectionError, WayfareError } from '../errors.ts';
export {
  type CommandOption,
  CommandRefused,
  CommandUsageError,
  type DeveloperCommand,
  type Given,
  type Terminal,
} from './command.ts';

/** What a developer runs with their own key, in the sandbox unless they ask for more. */
export const developerCommands: readonly DeveloperCommand[] = [listenCommand, triggerCommand, mcpCommand];
