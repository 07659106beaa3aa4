import { NavLink, Stack, Text } from '@mantine/core';
import {
  type Icon,
  IconAdjustmentsHorizontal,
  IconBook,
  IconCash,
  IconChartBar,
  IconDeviceMobile,
  IconDeviceSim,
  IconFileText,
  IconFlask,
  IconHome,
  IconKey,
  IconListDetails,
  IconWebhook,
  IconWorld,
} from '@tabler/icons-react';
import { NavLink as RouterLink } from 'react-router';
import type { Permission } from '../../../src/accounts/accounts.ts';
import { type Mode, paths } from '../paths.ts';
import { modeName } from '../theme.ts';
import { useMay } from '../useMay.ts';
import classes from './Navigation.module.css';

interface Item {
  readonly to: string;
  readonly label: string;
  readonly icon: Icon;
  /** Highlighted on this exact page only, not on the pages below it. */
  readonly end?: boolean;
  /** Listed only for roles that may see the page. */
  readonly may?: Permission;
}

/** What is sold and what it costs. */
const ofWorld = (mode: Mode): Item[] => [
  { to: paths.overview(mode), label: 'Overview', icon: IconHome, end: true },
  { to: paths.orders(mode), label: 'Orders', icon: IconFileText },
  { to: paths.esims(mode), label: 'eSIMs', icon: IconDeviceSim },
  { to: paths.catalog(mode), label: 'Catalog', icon: IconWorld },
  { to: paths.insight(mode), label: 'Insight', icon: IconChartBar },
  { to: paths.money(mode), label: 'Money', icon: IconCash, may: 'see-money' },
];

/** What an integration is built and watched with. */
const forDevelopers = (mode: Mode): Item[] => [
  { to: paths.webhooks(mode), label: 'Webhooks', icon: IconWebhook },
  { to: paths.requests(mode), label: 'Request log', icon: IconListDetails },
  { to: paths.keys, label: 'API keys', icon: IconKey, may: 'see-keys' },
  { to: paths.reference, label: 'API reference', icon: IconBook },
  ...(mode === 'sandbox' ? [{ to: paths.sandboxTools, label: 'Sandbox tools', icon: IconFlask }] : []),
];

const ofAccount: readonly Item[] = [
  { to: paths.travellerPage, label: 'Traveller’s page', icon: IconDeviceMobile },
  { to: paths.settings, label: 'Settings', icon: IconAdjustmentsHorizontal },
];

export function Navigation({ mode, onGo }: { mode: Mode; onGo: () => void }) {
  return (
    <Stack gap="md">
      <Items title={modeName[mode]} items={ofWorld(mode)} onGo={onGo} />
      <Items title="Developers" items={forDevelopers(mode)} onGo={onGo} />
      <Items title="Account" items={ofAccount} onGo={onGo} />
    </Stack>
  );
}

function Items({ title, items, onGo }: { title: string; items: readonly Item[]; onGo: () => void }) {
  const may = useMay();
  return (
    <div>
      <Text size="xs" c="dimmed" fw={500} px="xs" mb={4}>
        {title}
      </Text>
      <ul className={classes.items} aria-label={`Pages: ${title}`}>
        {items
          .filter((item) => item.may === undefined || may(item.may))
          .map(({ to, label, icon: Picture, end = false }) => (
            <li key={to}>
              <RouterLink to={to} end={end} className="row-target" onClick={onGo}>
                {({ isActive }) => (
                  <NavLink
                    component="span"
                    active={isActive}
                    label={label}
                    leftSection={<Picture size={18} />}
                    py={6}
                    px="xs"
                    style={{ borderRadius: 'var(--mantine-radius-md)' }}
                  />
                )}
              </RouterLink>
            </li>
          ))}
      </ul>
    </div>
  );
}
