import { Anchor, Burger, Button, Container, Group, Stack, Text } from '@mantine/core';
import { useDisclosure, useHotkeys, useMediaQuery } from '@mantine/hooks';
import { IconLogout } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link, Outlet, ScrollRestoration, useLocation } from 'react-router';
import { me } from '../api/session.ts';
import { paths } from '../paths.ts';
import { useRememberMode } from '../useMode.ts';
import { useSignOut } from '../useSignOut.ts';
import { AccountMenu } from './AccountMenu.tsx';
import { ClockBand } from './ClockBand.tsx';
import classes from './Frame.module.css';
import { Loaded } from './Loaded.tsx';
import { Logo } from './Logo.tsx';
import { ModeSwitch } from './ModeSwitch.tsx';
import { Navigation } from './Navigation.tsx';
import { SchemeButton } from './SchemeButton.tsx';
import { SearchButton } from './SearchButton.tsx';
import { Unreachable } from './Unreachable.tsx';

/** The header and navigation around every page of a signed-in member. */
export function Frame() {
  const { isPhone, opened, toggle, close } = usePhoneMenu();
  const mode = useRememberMode();
  const who = useQuery(me);
  return (
    <div data-world={mode} className={classes.frame}>
      <a href="#page" className="skip">
        Skip to content
      </a>
      <Group component="header" className={classes.header} justify="space-between" wrap="nowrap" gap="sm">
        <Group gap="sm" wrap="nowrap" miw={0}>
          <Burger
            opened={opened}
            onClick={toggle}
            hiddenFrom="sm"
            size="sm"
            aria-label="Navigation"
            aria-expanded={opened}
            aria-controls="navigation"
          />
          <Anchor
            component={Link}
            to={paths.overview(mode)}
            c="inherit"
            underline="never"
            className="target"
            aria-label="Wayfare, overview"
          >
            <Logo />
          </Anchor>
          {!isPhone && <AccountMenu />}
        </Group>
        <Group gap="xs" wrap="nowrap">
          <SearchButton />
          <ModeSwitch />
          <SchemeButton />
        </Group>
      </Group>
      <div className={classes.body}>
        <nav id="navigation" className={classes.side} data-open={opened || undefined} aria-label="Pages">
          {isPhone && (
            <Group px="xs" mih={32}>
              <AccountMenu />
            </Group>
          )}
          <div className={classes.pages}>
            <Navigation mode={mode} onGo={close} />
          </div>
          <SignedInAs email={who.data?.member.email} />
        </nav>
        {/* Behind the open menu of a phone it must not be reached by keyboard. */}
        <main id="page" tabIndex={-1} className={classes.main} inert={opened}>
          <Unreachable />
          {mode === 'sandbox' && <ClockBand />}
          <Container size={1080} py="lg" px="md">
            <Loaded query={who} lines={6}>
              {() => <Outlet />}
            </Loaded>
          </Container>
        </main>
      </div>
      <ScrollRestoration />
    </div>
  );
}

/** Open only on a phone, where it covers the page; any way of leaving the page closes it. */
function usePhoneMenu() {
  const [wanted, { toggle, close }] = useDisclosure();
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs because the path changed.
  useEffect(close, [pathname]);
  useHotkeys([['Escape', close]]);
  const isPhone = useMediaQuery('(max-width: 47.99em)', undefined, { getInitialValueInEffect: false });
  return { isPhone, opened: isPhone && wanted, toggle, close };
}

function SignedInAs({ email }: { email: string | undefined }) {
  const signOut = useSignOut();
  return (
    <Stack gap={4} px="xs">
      <Text size="xs" c="dimmed" truncate title={email}>
        {email}
      </Text>
      <Button
        variant="subtle"
        color="gray"
        size="compact-sm"
        justify="flex-start"
        px={0}
        leftSection={<IconLogout size={16} />}
        loading={signOut.isPending}
        onClick={() => signOut.mutate()}
      >
        Sign out
      </Button>
    </Stack>
  );
}
