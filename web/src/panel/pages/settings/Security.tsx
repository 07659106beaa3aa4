import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Page } from '../../../parts/Page.tsx';
import { Passkeys } from '../../../subjects/account/Passkeys.tsx';
import { Password } from '../../../subjects/account/Password.tsx';
import { SecondFactor } from '../../../subjects/account/SecondFactor.tsx';
import { Sessions } from '../../../subjects/account/Sessions.tsx';
import { own } from '../../api/account.ts';
import { me } from '../../api/session.ts';
import { useIsView } from '../../useIsView.ts';

const RESCUER = 'the operator of this server';

/** How the member signs in. An operator viewing the panel has nothing here. */
export function Security() {
  const isView = useIsView();
  const who = useQuery(me).data;
  const hasSeveralAccounts = (who?.accounts.length ?? 0) > 1;
  if (isView)
    return (
      <Page title="Security">
        <Text c="dimmed">How members sign in is theirs: operators do not see it.</Text>
      </Page>
    );
  if (who?.member.sso)
    return (
      <Page title="Security">
        <Text>
          You signed in with your company’s account, which decides how you sign in. A password, passkeys and sessions of
          yours belong to a sign-in with a password.
        </Text>
      </Page>
    );
  return (
    <Page title="Security" about="How you sign in. It applies to every account you belong to.">
      <Passkeys own={own} rescuer={RESCUER} />
      <SecondFactor own={own} rescuer={RESCUER} />
      <Sessions own={own} hasSeveralAccounts={hasSeveralAccounts} />
      <Password own={own} />
    </Page>
  );
}
