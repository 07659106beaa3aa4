import { Button } from '@mantine/core';
import { Icon } from '../../components/Icon.tsx';
import { Page } from '../../components/Page.tsx';
import { useSignOut } from '../../useSignOut.ts';
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
          leftSection={<Icon name="signOut" size={16} />}
          loading={signOut.isPending}
          onClick={() => signOut.mutate()}
        >
          Sign out
        </Button>
      }
    >
      <Members />
      <Password />
    </Page>
  );
}
