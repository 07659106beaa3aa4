import { Anchor, SimpleGrid } from '@mantine/core';
import { Link } from 'react-router';
import { modeName } from '../../../parts/mode.ts';
import { Page } from '../../../parts/Page.tsx';
import { Section } from '../../../parts/Section.tsx';
import { paths } from '../../paths.ts';
import { useMode } from '../../useMode.ts';
import { Notices } from '../notices/Notices.tsx';
import { FirstOrder } from '../orders/FirstOrder.tsx';
import { OrderList } from '../orders/OrderList.tsx';
import { Addresses } from './Addresses.tsx';
import { Balance } from './Balance.tsx';
import { FirstSteps } from './FirstSteps.tsx';

const RECENT = 5;

const about = {
  live: 'Real orders, paid from your wallet or credit line.',
  sandbox: 'Test money and test eSIMs, with the same endpoints and fields as live.',
} as const;

export function Overview() {
  const { mode } = useMode();
  return (
    <Page title={`${modeName[mode]} overview`} about={about[mode]}>
      <Notices mode={mode} about={['account', 'topups', 'webhooks']} />
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Balance
          mode={mode}
          actions={
            <Anchor component={Link} to={mode === 'live' ? paths.money(mode) : paths.sandboxTools} size="sm">
              {mode === 'live' ? 'Top up' : 'Change'}
            </Anchor>
          }
        />
        <Addresses mode={mode} />
      </SimpleGrid>
      <FirstSteps mode={mode} />
      <Section
        title="Recent orders"
        flush
        actions={
          <Anchor component={Link} to={paths.orders(mode)} size="sm">
            All orders
          </Anchor>
        }
      >
        <OrderList mode={mode} limit={RECENT} none={<FirstOrder mode={mode} />} />
      </Section>
    </Page>
  );
}
