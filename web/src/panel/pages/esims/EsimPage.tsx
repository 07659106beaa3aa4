import { Anchor, Badge, Group, SimpleGrid, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { CopyableLink } from '../../../parts/Copy.tsx';
import { type Column, DataTable } from '../../../parts/DataTable.tsx';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Money } from '../../../parts/Money.tsx';
import type { Mode } from '../../../parts/mode.ts';
import { Page } from '../../../parts/Page.tsx';
import { Section } from '../../../parts/Section.tsx';
import { When } from '../../../parts/When.tsx';
import { type EsimDetail, type EsimOrder, esim } from '../../api/esims.ts';
import { paths } from '../../paths.ts';
import { useIsView } from '../../useIsView.ts';
import { useMay } from '../../useMay.ts';
import { useMode } from '../../useMode.ts';
import { Activation, KEEP_SECRET } from '../orders/Activation.tsx';
import { Timeline } from '../orders/Timeline.tsx';
import { UsageBar } from '../orders/UsageBar.tsx';
import { Autorefill } from './Autorefill.tsx';
import { EsimState } from './EsimState.tsx';
import { Phone } from './Phone.tsx';
import { PlayPhone } from './PlayPhone.tsx';
import { Refills } from './Refills.tsx';
import { Withdrawn } from './Withdrawn.tsx';

/** Usage, refills and refunds change it from elsewhere; the page follows. */
const EVERY_MS = 30_000;

export function EsimPage() {
  const { iccid = '' } = useParams();
  const { mode } = useMode();
  const may = useMay();
  const isView = useIsView();
  const found = useQuery({ ...esim(mode, iccid), refetchInterval: EVERY_MS });
  return (
    <Page
      title={`eSIM ${iccid}`}
      about={found.data?.orders.at(-1)?.product_title}
      back={{ to: paths.esims(mode), label: 'eSIMs' }}
      actions={found.data && <EsimState state={found.data.esim.state} />}
    >
      <Loaded query={found} lines={8}>
        {(detail) => (
          <>
            <SimpleGrid cols={{ base: 1, md: 2 }}>
              <Stack>
                <Phone mode={mode} iccid={iccid} />
                <Installation iccid={iccid} detail={detail} />
              </Stack>
              <Stack>
                <UsageBar mode={mode} iccid={iccid} />
                <Section title="Orders" about="Delivered orders, newest first." flush>
                  <DataTable
                    label="Orders of this eSIM"
                    columns={columns(mode)}
                    rows={detail.orders}
                    rowKey={({ order_id }) => order_id}
                  />
                </Section>
                <Timeline mode={mode} orderId={String(detail.orders.at(-1)?.order_id)} isOfEsim />
              </Stack>
            </SimpleGrid>
            {mode === 'sandbox' && may('develop') && !isView && <PlayPhone iccid={iccid} />}
            {detail.esim.state !== 'cancelled' && <Autorefill mode={mode} iccid={iccid} rule={detail.autorefill} />}
            {detail.esim.state !== 'cancelled' && (
              <Refills
                mode={mode}
                iccid={iccid}
                refills={detail.orders.filter(({ product_type }) => product_type === 'refill').length}
              />
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Installation({ iccid, detail: { esim: it, install } }: { iccid: string; detail: EsimDetail }) {
  if (it.state === 'cancelled')
    return (
      <Section title="Installation">
        <Withdrawn iccid={iccid} />
      </Section>
    );
  return (
    <Section title="Installation" about={KEEP_SECRET}>
      <Activation
        esim={it}
        more={[
          [
            'On an iPhone',
            <CopyableLink key="apple" href={install.apple_url} label="Install link" what="the link for iPhones" />,
          ],
          [
            'On Android',
            <CopyableLink key="android" href={install.android_url} label="Install link" what="the link for Android" />,
          ],
        ]}
      />
    </Section>
  );
}

const columns = (mode: Mode): Column<EsimOrder>[] => [
  {
    label: 'Order',
    card: 'title',
    cell: ({ order_id }) => (
      <Anchor component={Link} to={paths.order(mode, order_id)} className="mono">
        {order_id}
      </Anchor>
    ),
  },
  {
    label: 'Plan',
    card: 'line',
    cell: ({ product_title, product_type }) => (
      <Group gap="xs">
        {product_title}
        {product_type === 'refill' && <Badge color="gray">Refill</Badge>}
      </Group>
    ),
  },
  {
    label: 'Reference',
    card: 'small',
    cell: ({ reference }) => reference && <span className="mono">{reference}</span>,
  },
  { label: 'Date', card: 'small', cell: ({ date }) => <When at={date} /> },
  { label: 'Price', kind: 'figure', cell: ({ sale_price }) => <Money amount={sale_price} /> },
];
