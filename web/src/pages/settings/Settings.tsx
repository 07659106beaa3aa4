import { Button } from '@mantine/core';
import { IconLogout } from '@tabler/icons-react';
import { Page } from '../../components/Page.tsx';
import { useSignOut } from '../../useSignOut.ts';
import { BalanceAlert } from './BalanceAlert.tsx';
import { Members } from './Members.tsx';
import { Password } from './Password.tsx';

export function Settings() {
  const signOut = useSignOut();
  return (
    <Page
      title="Settings"
      actions={
        <Button
          variant="default"
          leftSection={<IconLogout size={16} />}
          loading={signOut.isPending}
          onClick={() => signOut.mutate()}
        >
          Sign out
        </Button>
      }
    >
      <BalanceAlert />
      <Members />
      <Password />
    </Page>
  );
}
