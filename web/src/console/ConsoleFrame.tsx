import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { Outlet } from 'react-router';
import { Loaded } from '../parts/Loaded.tsx';
import { part } from '../parts/later.tsx';
import { Shell } from '../parts/Shell.tsx';
import { PageShape } from '../parts/shapes.tsx';
import { useRememberPage } from '../subjects/search/recentPages.ts';
import { SearchButton } from '../subjects/search/SearchButton.tsx';
import { useSignOut } from '../subjects/sign-in/useSignOut.ts';
import { ViewsAt } from '../subjects/views/useViewsAt.ts';
import { me, signOut } from './api/session.ts';
import { ConsoleNavigation } from './ConsoleNavigation.tsx';
import { paths } from './paths.ts';

const SecondFactorFirst = part(async () => (await import('./pages/gate/SecondFactorFirst.tsx')).SecondFactorFirst);

/** Its code is fetched when it is first opened. */
const SearchDialog = part(async () => (await import('./pages/search/ConsoleSearch.tsx')).ConsoleSearch);

/** Around every page of the console. */
export function ConsoleFrame() {
  const who = useQuery(me);
  useRememberPage(who.data?.operator.email);
  return (
    <Shell
      area="operator"
      home={paths.home}
      name={
        <Text size="sm" c="dimmed">
          Console
        </Text>
      }
      tools={<SearchButton dialog={SearchDialog} />}
      navigation={(onGo) => <ConsoleNavigation onGo={onGo} />}
      email={who.data?.operator.email}
      signOut={useSignOut(signOut, paths.signIn())}
    >
      <Loaded query={who} shape={<PageShape />}>
        {({ operator }) =>
          operator.second_factor_missing ? (
            <Suspense>
              <SecondFactorFirst role={operator.role} />
            </Suspense>
          ) : (
            <ViewsAt value="/operator/api/views">
              <Outlet />
            </ViewsAt>
          )
        }
      </Loaded>
    </Shell>
  );
}
