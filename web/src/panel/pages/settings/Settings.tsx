import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { IconHistory, IconLogout } from '../../../parts/icons.ts';
import { Page } from '../../../parts/Page.tsx';
import { Password } from '../../../subjects/account/Password.tsx';
import { SecondFactor } from '../../../subjects/account/SecondFactor.tsx';
import { Sessions } from '../../../subjects/account/Sessions.tsx';
import { useSignOut } from '../../../subjects/sign-in/useSignOut.ts';
import { own } from '../../api/account.ts';
import { me, signOut } from '../../api/session.ts';
import { paths } from '../../paths.ts';
import { useIsView } from '../../useIsView.ts';
import { useMay } from '../../useMay.ts';
import { BalanceAlert } from './BalanceAlert.tsx';
import { Members } from './Members.tsx';

export function Settings() {
  const leave = useSignOut(signOut, paths.signIn());
  const may = useMay();
  // The sections below belong to the member; an operator viewing the panel has none.
  const isView = useIsView();
  const hasSeveralAccounts = (useQuery(me).data?.accounts.length ?? 0) > 1;
  return (
    <Page
      title="Settings"
      actions={
        <>
          <Button component={Link} to={paths.activity} variant="default" leftSection={<IconHistory size={16} />}>
            Activity
          </Button>
          <Button
            variant="default"
            leftSection={<IconLogout size={16} />}
            loading={leave.isPending}
            onClick={() => leave.mutate()}
          >
            Sign out
          </Button>
        </>
      }
    >
      {may('spend') && <BalanceAlert />}
      <Members />
      {!isView && (
        <>
          <SecondFactor
            own={own}
            about="It applies to every account you belong to."
            rescuer="the operator of this server"
          />
          <Sessions own={own} hasSeveralAccounts={hasSeveralAccounts} />
          <Password own={own} />
        </>
      )}
    </Page>
  );
}
