import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { IconHistory, IconLogout, IconShieldLock } from '../../../parts/icons.ts';
import { Page } from '../../../parts/Page.tsx';
import { useSignOut } from '../../../subjects/sign-in/useSignOut.ts';
import { signOut } from '../../api/session.ts';
import { paths } from '../../paths.ts';
import { useMay } from '../../useMay.ts';
import { BalanceAlert } from './BalanceAlert.tsx';
import { Members } from './Members.tsx';

export function Settings() {
  const leave = useSignOut(signOut, paths.signIn());
  const may = useMay();
  return (
    <Page
      title="Settings"
      actions={
        <>
          {may('manage') && (
            <Button
              component={Link}
              to={paths.signInSettings}
              variant="default"
              leftSection={<IconShieldLock size={16} />}
            >
              Sign-in
            </Button>
          )}
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
    </Page>
  );
}
