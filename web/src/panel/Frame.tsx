import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useEffect, useState } from 'react';
import { Outlet, useLocation } from 'react-router';
import { Choice } from '../parts/Choice.tsx';
import { Loaded, Waiting } from '../parts/Loaded.tsx';
import { part } from '../parts/later.tsx';
import { modeName, modes } from '../parts/mode.ts';
import { Shell } from '../parts/Shell.tsx';
import { FiguresShape, PageShape } from '../parts/shapes.tsx';
import { ClockAhead } from '../parts/When.tsx';
import { useRememberPage } from '../subjects/search/recentPages.ts';
import { SearchButton } from '../subjects/search/SearchButton.tsx';
import { useSignOut } from '../subjects/sign-in/useSignOut.ts';
import { ViewsAt } from '../subjects/views/useViewsAt.ts';
import { clock } from './api/sandbox.ts';
import { me, signOut } from './api/session.ts';
import { ClockBand } from './ClockBand.tsx';
import { Navigation } from './Navigation.tsx';
import { isOneKept } from './pages/buy/interrupted.ts';
import { paths } from './paths.ts';
import { useMode, useRememberMode } from './useMode.ts';
import { ViewBand } from './ViewBand.tsx';

/** Its code is fetched when it is first opened. */
const SearchDialog = part(async () => (await import('./pages/search/SearchDialog.tsx')).SearchDialog);

/** Only after a sign-in or a page load that interrupted a purchase. */
const ResumedPurchase = part(async () => (await import('./pages/buy/ResumedPurchase.tsx')).ResumedPurchase);

/** Around every page of a signed-in member. */
export function Frame() {
  const mode = useRememberMode();
  const { pathname } = useLocation();
  const who = useQuery(me);
  const time = useQuery({ ...clock, enabled: mode === 'sandbox' });
  // The first page comes together with its bands, which would push it down, unless the clock takes too long.
  const isLate = useIsLate();
  const isTimed = mode !== 'sandbox' || time.isFetched || isLate;
  // Times of a sandbox whose test clock is on are compared with that clock.
  const ahead = mode === 'sandbox' ? (time.data?.test_clock.ahead_seconds ?? 0) : 0;
  const shape = <PageShape>{pathname === paths.overview(mode) ? <FiguresShape /> : undefined}</PageShape>;
  const [isInterrupted] = useState(isOneKept);
  useRememberPage(who.data?.member.email);
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
        who.data &&
        isTimed && (
          <>
            <ViewBand />
            {mode === 'sandbox' && <ClockBand />}
          </>
        )
      }
    >
      <Loaded query={who} shape={shape}>
        {({ viewed_by }) => (
          <ViewsAt value={typeof viewed_by === 'string' ? undefined : '/api/views'}>
            <ClockAhead.Provider value={ahead * 1000}>
              {isTimed ? <Outlet /> : <Waiting>{shape}</Waiting>}
            </ClockAhead.Provider>
            {isInterrupted && (
              <Suspense>
                <ResumedPurchase />
              </Suspense>
            )}
          </ViewsAt>
        )}
      </Loaded>
    </Shell>
  );
}

const CLOCK_MS = 2_000;

function useIsLate(): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(setLate, CLOCK_MS, true);
    return () => clearTimeout(timer);
  }, []);
  return isLate;
}

/** Few people belong to several partners; the others need not load it. */
const AccountSelect = part(async () => (await import('./AccountSelect.tsx')).AccountSelect);

/** The partner's name in the header, or the choice between several. */
function AccountMenu() {
  const { data } = useQuery(me);
  const name = (
    <Text size="sm" c="dimmed" truncate>
      {data?.partner.name}
    </Text>
  );
  if (!data || data.accounts.length < 2) return name;
  return (
    <Suspense fallback={name}>
      <AccountSelect who={data} />
    </Suspense>
  );
}

/** Shows which world the page is in and switches to the other one. */
function ModeSwitch() {
  const { mode, switchTo } = useMode();
  return (
    <Choice
      label="World"
      isSmall
      color={`var(--world-${mode})`}
      options={modes.map((value) => ({ value, label: modeName[value] }))}
      value={mode}
      onChange={switchTo}
    />
  );
}
