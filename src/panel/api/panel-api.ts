import { Check } from 'typebox/value';
import { findSession, type Session } from '../../accounts/accounts.ts';
import type { Base } from '../../base.ts';
import { tiers } from '../../contract/tiers.ts';
import type { RateLimiter } from '../../edge/rate-limit.ts';
import { Refused, TooManyAttempts } from '../../refused.ts';
import { Malformed, type PanelReply, type PanelRequest, type PanelRoute, page } from '../routes.ts';
import type { Call, Done, MemberAction, MemberCall, OpenAction, PanelAction } from './action.ts';
import { type SessionCookie, sessionCookie } from './cookie.ts';
import { JSON_TYPE, NOT_KEPT, refusal } from './refusals.ts';
import { requireSameOrigin } from './same-origin.ts';

export interface PanelApiParts {
  readonly base: Base;
  readonly clientAddress: (request: PanelRequest['request']) => string;
  readonly limiter: RateLimiter;
}

const MAX_BODY_BYTES = 16 * 1024;

/** What every request under /api/ meets, in this order: same origin, body, session, limit, the action; and how it is refused. */
export class PanelApi {
  private readonly base: Base;
  private readonly clientAddress: PanelApiParts['clientAddress'];
  private readonly limiter: RateLimiter;
  private readonly cookie: SessionCookie;

  constructor({ base, clientAddress, limiter }: PanelApiParts) {
    this.base = base;
    this.clientAddress = clientAddress;
    this.limiter = limiter;
    this.cookie = sessionCookie(base.config.panelUrl);
  }

  routes(actions: readonly (MemberAction | OpenAction)[]): PanelRoute[] {
    return actions.map((action) => {
      const { verb, path } = action;
      // The body first: one that is sent slowly must not be done after the session it came with was ended.
      const handle = this.guarded(async (call, asked) => {
        const body = await bodyOf(action, asked);
        if (!action.signedIn) return this.reply(await action.handle(call, body));
        const known = await this.known(call);
        await this.withinLimit(action, known);
        return this.reply(await action.handle(known, body));
      });
      return { verb, path, handle: this.logged(path, handle) };
    });
  }

  /** Logs the route, not the path as sent, which may hold secrets. */
  private logged(path: string, handle: PanelRoute['handle']): PanelRoute['handle'] {
    const { clock, log } = this.base;
    return async (asked) => {
      const began = clock.now();
      const reply = await handle(asked);
      const { method } = asked.request;
      log.info({ host: 'panel', method, path, status: reply.status, ms: clock.now() - began }, 'request');
      return reply;
    };
  }

  /** Answers with what `work` makes of a member's request. */
  forMembers(work: (call: MemberCall, asked: PanelRequest) => Promise<PanelReply>): PanelRoute['handle'] {
    return this.guarded(async (call, asked) => work(await this.known(call), asked));
  }

  private async known(call: Call): Promise<MemberCall> {
    const member = call.token === '' ? undefined : await findSession(this.base.db, call.token, call.now);
    if (!member) throw new Refused('sign_in_required');
    return { ...call, member, actor: this.actor(member) };
  }

  private async withinLimit({ verb, tier = 'money' }: MemberAction, { member, now }: MemberCall): Promise<void> {
    if (verb === 'GET' || tier === 'none') return;
    const verdict = await this.limiter.take(`member:${member.memberId}`, tier, tiers[tier], now);
    if (!verdict.admitted) throw new TooManyAttempts(verdict.retryAfterSeconds);
  }

  private guarded(work: (call: Call, asked: PanelRequest) => Promise<PanelReply>): PanelRoute['handle'] {
    const { clock, config, log } = this.base;
    return async (asked) => {
      const { request, params } = asked;
      try {
        requireSameOrigin(request, config.panelUrl);
        const token = this.cookie.read(request.headers.cookie);
        return await work({ params, token, address: this.clientAddress(request), now: clock.now() }, asked);
      } catch (error) {
        return refusal(error, log);
      }
    };
  }

  /** The one place where a session becomes somebody who may change things. */
  private actor({ email, partnerId }: Session): MemberCall['actor'] {
    const { db, clock, vault, guard } = this.base;
    return { db, clock, vault, guard, who: `member:${email}`, confinedTo: partnerId };
  }

  private reply({ body, session }: Done): PanelReply {
    const cookie = session && (session === 'ended' ? this.cookie.cleared : this.cookie.set(session.opened));
    return page(200, JSON_TYPE, JSON.stringify(body), { ...NOT_KEPT, ...(cookie && { 'set-cookie': cookie }) });
  }
}

async function bodyOf({ body: schema }: PanelAction, { headers, body }: PanelRequest): Promise<unknown> {
  if (!schema) return undefined;
  if (!/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')) throw new Malformed();
  const given = parsed((await body(MAX_BODY_BYTES)).toString('utf8'));
  if (!Check(schema, given)) throw new Refused('invalid_input', 'a field is missing or is not what it should be');
  return given;
}

function parsed(text: string): unknown {
  // PostgreSQL has no text with a NUL in it.
  if (text.includes('\\u0000')) throw new Malformed();
  try {
    return JSON.parse(text);
  } catch {
    throw new Malformed();
  }
}
