import { NavLink, Stack, Text } from '@mantine/core';
import { NavLink as RouterLink } from 'react-router';
import { type Mode, paths } from '../paths.ts';
import { modeName } from '../theme.ts';
import { Icon, type IconName } from './Icon.tsx';

interface Item {
  readonly to: string;
  readonly label: string;
  readonly icon: IconName;
  /** Current on this very page only, not on those below it. */
  readonly end?: boolean;
}

const ofWorld = (mode: Mode): Item[] => [
  { to: paths.overview(mode), label: 'Overview', icon: 'home', end: true },
  { to: paths.orders(mode), label: 'Orders', icon: 'orders' },
  { to: paths.money(mode), label: 'Money', icon: 'money' },
  { to: paths.webhooks(mode), label: 'Webhooks', icon: 'webhook' },
  ...(mode === 'sandbox' ? [{ to: paths.sandboxTools, label: 'Sandbox tools', icon: 'tools' } as const] : []),
];

const ofAccount: readonly Item[] = [
  { to: paths.keys, label: 'API keys', icon: 'key' },
  { to: paths.settings, label: 'Settings', icon: 'settings' },
];

export function Navigation({ mode, onGo }: { mode: Mode; onGo: () => void }) {
  return (
    <Stack gap="lg">
      <Items title={modeName[mode]} items={ofWorld(mode)} onGo={onGo} />
      <Items title="Account" items={ofAccount} onGo={onGo} />
    </Stack>
  );
}

function Items({ title, items, onGo }: { title: string; items: readonly Item[]; onGo: () => void }) {
  return (
    <div>
      <Text size="xs" c="dimmed" fw={500} px="xs" mb={4}>
        {title}
      </Text>
      {items.map(({ to, label, icon, end = false }) => (
        <RouterLink key={to} to={to} end={end} style={{ textDecoration: 'none', color: 'inherit' }} onClick={onGo}>
          {({ isActive }) => (
            <NavLink
              component="span"
              active={isActive}
              label={label}
              leftSection={<Icon name={icon} />}
              py={7}
              px="xs"
              style={{ borderRadius: 'var(--mantine-radius-md)' }}
            />
          )}
        </RouterLink>
      ))}
    </div>
  );
}
