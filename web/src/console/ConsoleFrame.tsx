import { Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Outlet, useNavigate } from 'react-router';
import { Loaded } from '../components/Loaded.tsx';
import { Shell } from '../components/Shell.tsx';
import { me, signOut } from './api/session.ts';
import { ConsoleNavigation } from './ConsoleNavigation.tsx';
import { paths } from './paths.ts';

/** Around every page of the console. */
export function ConsoleFrame() {
  const who = useQuery(me);
  return (
    <Shell
      area="operator"
      home={paths.home}
      name={
        <Text size="sm" c="dimmed">
          Console
        </Text>
      }
      tools={null}
      navigation={(onGo) => <ConsoleNavigation onGo={onGo} />}
      email={who.data?.operator.email}
      signOut={useSignOut()}
    >
      <Loaded query={who} lines={6}>
        {() => <Outlet />}
      </Loaded>
    </Shell>
  );
}

function useSignOut() {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: signOut,
    async onSuccess() {
      await navigate(paths.signIn());
      client.clear();
    },
  });
}
