import { airaloDoor } from './airalo-door.ts';
import type { Attack } from './attack.ts';
import { crowds } from './crowds.ts';
import { hostileServers } from './hostile-servers.ts';
import { mcpKills } from './mcp-kills.ts';
import { refillReset } from './refill-reset.ts';
import { refundRaces } from './refund-races.ts';
import { roles } from './roles.ts';
import { viewers } from './viewers.ts';
import { xss } from './xss.ts';

export const attacks: readonly Attack[] = [
  roles,
  viewers,
  crowds,
  refundRaces,
  refillReset,
  mcpKills,
  airaloDoor,
  hostileServers,
  xss,
];
