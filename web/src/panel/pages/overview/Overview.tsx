import { Anchor, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { Link } from 'react-router';
import { Loaded } from '../../../parts/Loaded.tsx';
import { part } from '../../../parts/later.tsx';
import { modeName } from '../../../parts/mode.ts';
import { Page } from '../../../parts/Page.tsx';
import { Section } from '../../../parts/Section.tsx';
import { FiguresShape } from '../../../parts/shapes.tsx';
import type { OrderPage } from '../../api/orders.ts';
import { overview, type Overview as Read } from '../../api/overview.ts';
import { paths } from '../../paths.ts';
import { useMay } from '../../useMay.ts';
import { useMode } from '../../useMode.ts';
import { Notices } from '../notices/Notices.tsx';
import { OrderLines } from '../orders/OrderList.tsx';
import { Figures } from './Figures.tsx';
import { Month } from './Month.tsx';

/** Only where there is something to say, or for accounts that are being set up; the others need not load it. */
const Incidents = part(async () => (await import('../notices/Incidents.tsx')).Incidents);
const NeedsYou = part(async () => (await import('./NeedsYou.tsx')).NeedsYou);
const GettingStarted = part(async () => (await import('./GettingStarted.tsx')).GettingStarted);
const FirstOrder = part(async () => (await import('../orders/FirstOrder.tsx')).FirstOrder);

const about = {
  live: 'Real orders, paid from your wallet or credit line.',
  sandbox: 'Test money and test eSIMs, with the same endpoints and fields as live.',
} as const;

const recentOf = ({ orders, batches }: Read): OrderPage => ({
  orders: [...orders],
  has_more: false,
  looked_to: null,
  batches: [...batches],
});

const needsYou = ({ waiting, help, expiring_keys }: Read): boolean =>
  waiting !== null || help !== null || expiring_keys.length > 0;

export function Overview() {
  const { mode } = useMode();
  const develops = useMay()('develop');
  const found = useQuery(overview(mode));
  const rows = useQuery({ ...overview(mode), select: recentOf });
  return (
    <Page title={`${modeName[mode]} overview`} about={about[mode]} shape={<FiguresShape />}>
      <Loaded query={found} shape={<FiguresShape />}>
        {(data) => {
          const isSetUp = Object.values(data.steps).every((done) => done);
          return (
            <>
              {data.incidents.length > 0 && (
                <Suspense fallback={<Skeleton height={NOTICE} aria-busy />}>
                  <Incidents mode={mode} of={data.incidents} />
                </Suspense>
              )}
              <Notices mode={mode} about={['account', 'billing', 'topups', 'webhooks']} of={data.notices} />
              {needsYou(data) && (
                <Suspense fallback={<Skeleton height={NOTICE} aria-busy />}>
                  <NeedsYou mode={mode} of={data} />
                </Suspense>
              )}
              <Figures mode={mode} of={data} />
              <Month mode={mode} of={data} />
              {(!data.has_sold || (mode === 'sandbox' && !isSetUp)) && (
                <Suspense fallback={<Skeleton height={CARD} aria-busy />}>
                  <GettingStarted mode={mode} of={data} develops={develops} />
                </Suspense>
              )}
              <Section
                title="Recent orders"
                flush
                actions={
                  <Anchor component={Link} to={paths.orders(mode)} size="sm">
                    All orders
                  </Anchor>
                }
              >
                <OrderLines
                  mode={mode}
                  found={rows}
                  isFolded
                  none={
                    <Suspense fallback={<span aria-busy />}>
                      <FirstOrder mode={mode} />
                    </Suspense>
                  }
                />
              </Section>
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}

const [NOTICE, CARD] = [94, 380];
