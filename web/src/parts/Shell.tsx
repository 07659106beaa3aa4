import {
  ActionIcon,
  Anchor,
  Burger,
  Button,
  Container,
  Group,
  Stack,
  Text,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core';
import { useDisclosure, useHotkeys, useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useEffect } from 'react';
import { Link, ScrollRestoration, useLocation } from 'react-router';
import { IconLogout, IconMoon, IconSun } from './icons.ts';
import classes from './Shell.module.css';
import { useAwaySince } from './server/useAwaySince.ts';
import { site } from './site.ts';
import { Unreachable } from './Unreachable.tsx';

interface ShellProps {
  /** Whose colour runs along the top. */
  area: 'live' | 'sandbox' | 'operator';
  /** Where the logo leads. */
  home: string;
  /** Beside the logo; on a phone, in the menu. */
  name: ReactNode;
  tools: ReactNode;
  /** The pages, as a list of links; `onGo` closes the menu of a phone. */
  navigation: (onGo: () => void) => ReactNode;
  email: string | undefined;
  signOut: { readonly isPending: boolean; mutate(): void };
  /** Above the page, across its whole width. */
  bands?: ReactNode;
  children: ReactNode;
}

/** The header and navigation around every page of somebody signed in. */
export function Shell({ area, home, name, tools, navigation, email, signOut, bands, children }: ShellProps) {
  const { isPhone, opened, toggle, close } = usePhoneMenu();
  const isFrozen = useAwaySince() !== undefined;
  return (
    <div data-area={area} className={classes.frame}>
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
            to={home}
            c="inherit"
            underline="never"
            className={`target ${classes.home}`}
            aria-label={`${site.name}, overview`}
          >
            <Logo />
          </Anchor>
          {!isPhone && name}
        </Group>
        {/* On a phone the name gives way. */}
        <Group gap="xs" wrap="nowrap" flex="none">
          {tools}
          <SchemeButton />
        </Group>
      </Group>
      <div className={classes.body}>
        <nav id="navigation" className={classes.side} data-open={opened || undefined} aria-label="Pages">
          {isPhone && (
            <Group px="xs" mih={32}>
              {name}
            </Group>
          )}
          <div className={classes.pages}>{navigation(close)}</div>
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
        </nav>
        {/* Behind the open menu of a phone it must not be reached by keyboard. */}
        <main id="page" tabIndex={-1} className={classes.main} inert={opened}>
          <Unreachable />
          {bands}
          {/* Another one below its bands: nothing that was shown moves down. */}
          <Container key={String(Boolean(bands))} size={1400} py="lg" px="md" data-frozen={isFrozen || undefined}>
            {children}
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

function Logo() {
  if (!site.hasOwnIcon && site.logo !== '') return <img src={site.logo} alt="" className={classes.logo} />;
  if (site.logo === '')
    return (
      <Text fw={700} component="span" truncate maw={{ sm: 220 }}>
        {site.name}
      </Text>
    );
  return (
    <Group gap={8} wrap="nowrap">
      {/* Written out: as a file it would be one more request of the first visit. */}
      <svg viewBox="0 0 32 32" width={26} height={26} aria-hidden="true">
        <rect width="32" height="32" rx="8" fill="#2f4fc4" />
        <path
          d="m7 11 4.5 11L16 12l4.5 10L25 11"
          fill="none"
          stroke="#fff"
          strokeWidth="3"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
      <Text fw={700} visibleFrom="xs" component="span">
        {site.name}
      </Text>
    </Group>
  );
}

function SchemeButton() {
  const { setColorScheme } = useMantineColorScheme();
  const other = useComputedColorScheme('light') === 'dark' ? 'light' : 'dark';
  const label = `Switch to ${other} mode`;
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={label}
      title={label}
      onClick={() => setColorScheme(other)}
    >
      {other === 'dark' ? <IconMoon size={18} /> : <IconSun size={18} />}
    </ActionIcon>
  );
}
