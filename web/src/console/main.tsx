import { mergeThemeOverrides } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { start } from '../parts/start.tsx';
import { theme } from '../parts/theme.ts';
import { Confirmation } from '../subjects/sign-in/Confirmation.tsx';
import { confirm, me, passkeys, startSso } from './api/session.ts';
import { paths } from './paths.ts';
import { routes } from './routes.tsx';

/** The console's own colour, so that it is never mistaken for a partner's panel; `--operator` in styles.css is the same violet. */
const consoleTheme = mergeThemeOverrides(theme, { primaryColor: 'violet', primaryShade: 8 });

/** The operators' console, a page of its own: partners never load its code. */
start({
  routes,
  theme: consoleTheme,
  signIn: paths.signIn,
  who: {
    known: (client) => client.getQueryData(me.queryKey)?.operator.id,
    ask: async (client) => (await client.fetchQuery({ ...me, staleTime: 0 })).operator.id,
  },
  // The operator's new role requires a second factor: read the signed-in person again, and the frame asks them to set it up.
  whenRefused({ code }, client) {
    if (code === 'second_factor_required') void client.invalidateQueries({ queryKey: me.queryKey });
  },
  confirmation: (
    <Confirmation
      confirm={confirm}
      requestPasskey={passkeys.request}
      useSecondFactor={() => useQuery(me).data?.operator.second_factor === true}
      useSso={() => (useQuery(me).data?.operator.sso ? () => startSso(true) : undefined)}
    />
  ),
});
