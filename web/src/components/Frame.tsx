import { Anchor, AppShell, Burger, Button, Container, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconLogout } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, ScrollRestoration } from 'react-router';
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
  const [opened, { toggle, close }] = useDisclosure();
  const mode = useRememberMode();
  const who = useQuery(me);
  const signOut = useSignOut();
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      data-world={mode}
      className={classes.frame}
    >
      <a href="#page" className="skip">
        Skip to content
      </a>
      <AppShell.Header className={classes.header}>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap" gap="sm">
          <Group gap="sm" wrap="nowrap" miw={0}>
            <Burger
              opened={opened}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label="Navigation"
              aria-expanded={opened}
            />
            <Anchor
              component={Link}
              to={paths.overview(mode)}
              c="inherit"
              underline="never"
              aria-label="Wayfare, overview"
            >
              <Logo />
            </Anchor>
            <AccountMenu />
          </Group>
          <Group gap="xs" wrap="nowrap">
            <SearchButton />
            <ModeSwitch />
            <SchemeButton />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm">
        <AppShell.Section grow component="nav" aria-label="Pages">
          <Navigation mode={mode} onGo={close} />
        </AppShell.Section>
        <Stack gap={4} px="xs">
          <Text size="xs" c="dimmed" truncate title={who.data?.member.email}>
            {who.data?.member.email}
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
      </AppShell.Navbar>
      <AppShell.Main id="page" tabIndex={-1} className={classes.main}>
        <Unreachable />
        {mode === 'sandbox' && <ClockBand />}
        <Container size={1080} py="lg" px="md">
          <Loaded query={who} lines={6}>
            {() => <Outlet />}
          </Loaded>
        </Container>
      </AppShell.Main>
      <ScrollRestoration />
    </AppShell>
  );
}
