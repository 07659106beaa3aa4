import { Alert, Anchor, SimpleGrid, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { isRefill, type OrderDetail, order } from '../../api/orders.ts';
import { Copyable } from '../../components/Copy.tsx';
import { count } from '../../components/count.ts';
import { Facts } from '../../components/Facts.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { Money } from '../../components/Money.tsx';
import { Page } from '../../components/Page.tsx';
import { Section } from '../../components/Section.tsx';
import { When } from '../../components/When.tsx';
import { type Mode, paths } from '../../paths.ts';
import { useMode } from '../../useMode.ts';
import { Esim } from './Esim.tsx';
import { isCharged, isFailed, isOpen, OrderStatus } from './OrderStatus.tsx';
import { RefundSection } from './RefundSection.tsx';
import { ShareCard } from './ShareCard.tsx';
import { Timeline } from './Timeline.tsx';
import { UsageBar } from './UsageBar.tsx';

/** An order that awaits delivery changes by itself, so the page follows it; a decision about a refund takes longer. */
const EVERY_MS = 5_000;
const UNDECIDED_MS = 15_000;

export function Order() {
  const { id = '' } = useParams();
  const { mode } = useMode();
  const found = useQuery({
    ...order(mode, id),
    refetchInterval: ({ state: { data } }) =>
      data && (isOpen(data.order.status) ? EVERY_MS : data.refund?.status === 'requested' && UNDECIDED_MS),
  });
  return (
    <Page
      title={`Order ${id}`}
      about={found.data?.order.title_display}
      back={{ to: paths.orders(mode), label: 'Orders' }}
    >
      <Loaded query={found} lines={8}>
        {(detail) => (
          <>
            {isFailed(detail.order.status) && <Failed mode={mode} />}
            {detail.operator_meta.warning && <Alert color="yellow">{detail.operator_meta.warning}</Alert>}
            <SimpleGrid cols={{ base: 1, md: 2 }}>
              <Stack>
                <About mode={mode} detail={detail} />
                <RefundSection mode={mode} detail={detail} />
              </Stack>
              <Esim mode={mode} detail={detail} />
            </SimpleGrid>
            {detail.esim.iccid !== null && <UsageBar mode={mode} iccid={detail.esim.iccid} />}
            {detail.esim.qrcode !== null && <ShareCard mode={mode} orderId={detail.order.id} />}
            <Timeline mode={mode} orderId={detail.order.id} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function About({ mode, detail }: { mode: Mode; detail: OrderDetail }) {
  const { order: it, esim, operator_meta, refund } = detail;
  const refunded = isFailed(it.status) ? it.sale_price : (refund?.amount ?? '0');
  return (
    <Section title="Order" actions={<OrderStatus status={it.status} />}>
      <Facts
        facts={[
          ['Reference', it.reference && <Copyable key="ref" value={it.reference} what="the reference" />],
          ['Type', isRefill(detail) ? 'Refill' : 'eSIM'],
          [
            'eSIM page',
            esim.iccid && (
              <Anchor key="esim" component={Link} to={paths.esim(mode, esim.iccid)} className="mono">
                {esim.iccid}
              </Anchor>
            ),
          ],
          ['Plan', it.product_title],
          ['Product id', <Copyable key="product" value={it.product_id} what="the product id" />],
          ['Destination', it.country_name],
          ['Data', it.data],
          ['Valid for', count(it.day, 'day')],
          ['Network', it.operator_title],
          ['Fair use', it.fair_use_text],
          // A refill starts no validity of its own.
          ['Validity starts', !isRefill(detail) && activationText(operator_meta.activation_policy)],
          ['List price', <Money key="list" amount={it.product_price} />],
          [isCharged(it.status) ? 'Charged' : 'Your price', <Money key="charged" amount={it.sale_price} />],
          ['Refunded', isCharged(it.status) && Number(refunded) > 0 && <Money key="refunded" amount={refunded} />],
          ['You paid', Number(refunded) > 0 && <Money key="paid" amount={Number(it.sale_price) - Number(refunded)} />],
          ['Ordered (UTC)', <When key="date" at={it.date} />],
          [
            'Supplier reference',
            it.api_sale_code && <Copyable key="sale" value={it.api_sale_code} what="the supplier reference" />,
          ],
        ]}
      />
    </Section>
  );
}

/** A failed order was refused before it was charged, or its charge was refunded in the step that marked it failed. */
function Failed({ mode }: { mode: Mode }) {
  return (
    <Alert color="red" title="This order failed and costs you nothing">
      If it had been charged, the full amount was refunded when it failed.{' '}
      {mode === 'live' && (
        <>
          See{' '}
          <Anchor component={Link} to={paths.money(mode)} fz="inherit" c="inherit" underline="always">
            Money
          </Anchor>{' '}
          for the refund.{' '}
        </>
      )}
      To try again, send the purchase with a new idempotency key.
    </Alert>
  );
}

const activations: Record<string, string> = {
  'first-usage': 'When first used',
  installation: 'When installed',
};

const activationText = (policy: string | null) => policy && (activations[policy] ?? policy);
