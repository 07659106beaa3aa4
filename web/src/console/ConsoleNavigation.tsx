import { Stack } from '@mantine/core';
import { IconHome, IconList, IconSettings, IconTag, IconUsersGroup } from '@tabler/icons-react';
import { type NavigationItem, NavigationList } from '../components/NavigationList.tsx';
import { paths } from './paths.ts';

const ofSales: readonly NavigationItem[] = [
  { to: paths.home, label: 'Home', icon: IconHome, end: true },
  // orders, refunds, partners
];

/** What is sold and for how much. */
const ofTrade: readonly NavigationItem[] = [
  { to: paths.prices, label: 'Prices', icon: IconTag },
  { to: paths.catalog, label: 'Catalog', icon: IconList },
  // money
];

const ofService: readonly NavigationItem[] = [
  // suppliers, webhooks, audit, system
  { to: paths.staff, label: 'Operators', icon: IconUsersGroup },
  { to: paths.settings, label: 'Settings', icon: IconSettings },
];

export function ConsoleNavigation({ onGo }: { onGo: () => void }) {
  return (
    <Stack gap="md">
      <NavigationList title="Sales" items={ofSales} onGo={onGo} />
      <NavigationList title="Trade" items={ofTrade} onGo={onGo} />
      <NavigationList title="Service" items={ofService} onGo={onGo} />
    </Stack>
  );
}
