import { operatorAccess } from '../../domains/partners/people/people.ts';
import { shareOf } from '../../platform/db/query/share.ts';
import type { Base } from '../../worlds/base.ts';
import type { OpenAction } from '../site/json/action.ts';
import { signInActions } from '../site/json/sign-in.ts';

/** Signing in to the console. Anyone can call these, so together they use a quarter of the shared connections at most. */
export const operatorSignInActions = ({ db, config, clock, vault }: Base): OpenAction[] =>
  signInActions(
    { db: shareOf(db, Math.ceil(config.pools.shared / 4)), clock, vault },
    {
      at: '/operator/api',
      access: operatorAccess,
      welcome: { '/welcome': (desk, link) => operatorAccess.acceptLink(desk, link) },
      leave: (db, token) => operatorAccess.sessions.end(db, token),
      invitation: invitationView,
    },
  );

const invitationView = ({ email }: { readonly email: string }) => ({ email });

export type OperatorInvitationView = ReturnType<typeof invitationView>;
