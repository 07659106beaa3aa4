import { useQuery } from '@tanstack/react-query';
import { start } from '../parts/start.tsx';
import { theme } from '../parts/theme.ts';
import { Confirmation } from '../subjects/sign-in/Confirmation.tsx';
import { confirm, me, passkeys, startSso } from './api/session.ts';
import { paths } from './paths.ts';
import { routes } from './routes.tsx';

/** The partners' panel. The operators' console has its own entry, `console/main.tsx`. */
start({
  theme,
  routes,
  signIn: paths.signIn,
  who: {
    known: (client) => client.getQueryData(me.queryKey)?.member.id,
    ask: async (client) => (await client.fetchQuery({ ...me, staleTime: 0 })).member.id,
  },
  confirmation: (
    <Confirmation
      confirm={confirm}
      requestPasskey={passkeys.request}
      useSecondFactor={() => useQuery(me).data?.member.second_factor === true}
      useSso={() => {
        const who = useQuery(me).data;
        return who?.member.sso ? () => startSso({ account: who.partner.id, again: true }) : undefined;
      }}
    />
  ),
});
