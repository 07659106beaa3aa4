import { useQuery } from '@tanstack/react-query';
import { lazy } from 'react';
import { Outlet } from 'react-router';
import { Loaded } from '../parts/Loaded.tsx';
import { Shell } from '../parts/Shell.tsx';
import { SearchButton } from '../subjects/search/SearchButton.tsx';
import { useSignOut } from '../subjects/sign-in/useSignOut.ts';
import { AccountMenu } from './AccountMenu.tsx';
import { me, signOut } from './api/session.ts';
import { ClockBand } from './ClockBand.tsx';
import { ModeSwitch } from './ModeSwitch.tsx';
import { Navigation } from './Navigation.tsx';
import { paths } from './paths.ts';
import { useRememberMode } from './useMode.ts';
import { ViewBand } from './ViewBand.tsx';

/** Its code is fetched when it is first opened. */
const SearchDialog = lazy(async () => ({ default: (await import('./pages/search/SearchDialog.tsx')).SearchDialog }));

/** Around every page of a signed-in member. */
export function Frame() {
  const mode = useRememberMode();
  const who = useQuery(me);
  return (
    <Shell
      area={mode}
      home={paths.overview(mode)}
      name={<AccountMenu />}
      tools={
        <>
          <SearchButton dialog={SearchDialog} />
          <ModeSwitch />
        </>
      }
      navigation={(onGo) => <Navigation mode={mode} onGo={onGo} />}
      email={who.data?.member.email}
      signOut={useSignOut(signOut, paths.signIn())}
      bands={
        <>
          <ViewBand />
          {mode === 'sandbox' && <ClockBand />}
        </>
      }
    >
      <Loaded query={who} lines={6}>
        {() => <Outlet />}
      </Loaded>
    </Shell>
  );
}
