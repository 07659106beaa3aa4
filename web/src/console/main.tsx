import { useQuery } from '@tanstack/react-query';
import { Confirmation } from '../components/Confirmation.tsx';
import { start } from '../start.tsx';
import { confirm, me } from './api/session.ts';
import { paths } from './paths.ts';
import { routes } from './routes.tsx';

/** The operators' console, a page of its own: partners never load its code. */
start({
  routes,
  signIn: paths.signIn,
  who: {
    known: (client) => client.getQueryData(me.queryKey)?.operator.id,
    ask: async (client) => (await client.fetchQuery({ ...me, staleTime: 0 })).operator.id,
  },
  confirmation: (
    <Confirmation confirm={confirm} useSecondFactor={() => useQuery(me).data?.operator.second_factor === true} />
  ),
});
