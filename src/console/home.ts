import type { Base } from '../base.ts';
import { COUNT_LIMIT } from '../db/matters.ts';
import { iso } from '../site/action.ts';
import type { Attention, Kind, Matter, Part } from '../worlds/matters.ts';
import { type OperatorAction, operatorAction } from './action.ts';

/** What needs a person now. */
export const homeActions = ({ worlds }: Base): OperatorAction[] => [
  operatorAction({
    verb: 'GET',
    path: '/operator/api/home',
    may: 'see',
    async handle({ now }) {
      const read = await worlds.live.attention(now);
      return { body: { read_at: iso(new Date(now)), parts: read.map(partView) } satisfies HomeView };
    },
  }),
];

const partView = (one: Attention): HomePart => ({
  part: one.part,
  is_unreadable: 'isUnreadable' in one,
  matters: 'matters' in one ? one.matters.map(matterView) : [],
});

const matterView = ({ kind, count, since, of, about, nextTryAt = null }: Matter): HomeMatter => ({
  kind,
  count,
  is_more: count >= COUNT_LIMIT,
  since: iso(since),
  of,
  about,
  next_try_at: iso(nextTryAt),
});

export type { Kind, Part };
export interface HomeMatter {
  readonly kind: Kind;
  readonly count: number;
  /** Counting stopped here: there may be more. */
  readonly is_more: boolean;
  readonly since: string | null;
  readonly of: string;
  readonly about: string;
  /** When we try again by ourselves. */
  readonly next_try_at: string | null;
}
export interface HomePart {
  readonly part: Part;
  /** It could not be read, so nothing is known about it. */
  readonly is_unreadable: boolean;
  readonly matters: readonly HomeMatter[];
}
export interface HomeView {
  readonly read_at: string;
  readonly parts: readonly HomePart[];
}
