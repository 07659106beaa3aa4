import { Button } from '@mantine/core';
import { IconHistory, IconLogout } from '@tabler/icons-react';
import { Link } from 'react-router';
import { Page } from '../../components/Page.tsx';
import { paths } from '../../paths.ts';
import { useMay } from '../../useMay.ts';
import { useSignOut } from '../../useSignOut.ts';
import { BalanceAlert } from './BalanceAlert.tsx';
import { Members } from './Members.tsx';
import { Password } from './Password.tsx';
import { SecondFactor } from './SecondFactor.tsx';
import { Sessions } from './Sessions.tsx';

export function Settings() {
  const signOut = useSignOut();
  const may = useMay();
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
            loading={signOut.isPending}
            onClick={() => signOut.mutate()}
          >
            Sign out
          </Button>
        </>
      }
    >
      {may('spend') && <BalanceAlert />}
      <Members />
      <SecondFactor />
      <Sessions />
      <Password />
    </Page>
  );
}
