import type { Base } from '../base.ts';
import { shareOf } from '../db/share.ts';
import { operatorAccess } from '../people/people.ts';
import type { OpenAction } from '../site/action.ts';
import { signInActions } from '../site/sign-in.ts';

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
