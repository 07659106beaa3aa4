import type { Log } from '../../../../platform/log.ts';
import { openProber, type Prober } from './probe.ts';
import { createSender, type Sender } from './send.ts';
import { createGuard, type Guard } from './target.ts';

/** What reaches receivers: the check of their addresses, the sender, and a probe that records nothing. */
export interface Outgoing {
  readonly guard: Guard;
  readonly sender: Sender;
  readonly prober: Prober;
}

export function openOutgoing({ trustedHosts, log }: { trustedHosts: readonly string[]; log: Log }): Outgoing {
  const guard = createGuard({ trustedHosts });
  const sender = createSender({ guard });
  return { guard, sender, prober: openProber({ sender, log }) };
}
