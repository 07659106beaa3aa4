import { Alert, Anchor, Badge, Group, SimpleGrid, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { Copyable } from '../../../parts/Copy.tsx';
import { count } from '../../../parts/count.ts';
import { Facts } from '../../../parts/Facts.tsx';
import { Loaded } from '../../../parts/Loaded.tsx';
import { ModeBadge } from '../../../parts/ModeBadge.tsx';
import { Page } from '../../../parts/Page.tsx';
import { Section } from '../../../parts/Section.tsx';
import { When } from '../../../parts/When.tsx';
import { ruleWords, whyStopped } from '../../../subjects/orders/autorefillWords.ts';
import { OrderStatus } from '../../../subjects/orders/OrderStatus.tsx';
import { ORDERS, type OrderDetail, order } from '../../api/orders.ts';
import { Notes } from '../../Notes.tsx';
import { paths } from '../../paths.ts';
import { useWorld } from '../../useWorld.ts';
import { Cost } from '../catalog/Cost.tsx';
import { Used } from '../refunds/Used.tsx';
import { ActivationData } from './ActivationData.tsx';
import { OrderActions } from './OrderActions.tsx';
import { OrderMoney } from './OrderMoney.tsx';
import { OrderSuppliers } from './OrderSuppliers.tsx';
import { RequestSection } from './RequestSection.tsx';
import { reasonFor, whyFailed } from './reasons.ts';
import { SupplierCalls } from './SupplierCalls.tsx';
import { Trail } from './Trail.tsx';

/** An order that awaits delivery changes by itself; later only its events do. */
const OPEN_MS = 5_000;
const LATER_MS = 20_000;

export function OrderPage() {
  const { id = '' } = useParams();
  const mode = useWorld();
  const found = useQuery({
    ...order(mode, id),
    refetchInterval: ({ state: { data } }) => (data?.can.retry ? OPEN_MS : LATER_MS),
  });
  return (
    <Page
      title={`Order ${id}`}
      about={found.data?.order.title}
      back={{ to: mode === 'live' ? paths.orders : `${paths.orders}?mode=${mode}`, label: 'Orders' }}
      actions={mode === 'sandbox' && <ModeBadge mode={mode} />}
    >
      <Loaded query={found} lines={10}>
        {(detail) => (
          <>
            <Notice detail={detail} />
            <OrderActions detail={detail} />
            <SimpleGrid cols={{ base: 1, md: 2 }} style={{ alignItems: 'start' }}>
              <Stack>
                <About detail={detail} />
                <AtSupplier detail={detail} />
                <Notes notes={detail.notes} about={{ order: id, mode }} touches={ORDERS} />
              </Stack>
              <Stack>
                <OrderMoney detail={detail} />
                {detail.can.reveal && <ActivationData detail={detail} />}
                <RequestSection detail={detail} />
              </Stack>
            </SimpleGrid>
            <OrderSuppliers detail={detail} />
            <SupplierCalls detail={detail} />
            <Trail detail={detail} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** What a person has to know before anything else. */
function Notice({ detail }: { detail: OrderDetail }) {
  const { order: it, can, refund } = detail;
  if (can.decide)
    return (
      <Alert color="yellow">
        The partner asks for a refund{refund?.reason ? `: “${refund.reason}”` : '.'} Decide about it below.
      </Alert>
    );
  if (it.held !== null)
    return (
      <Alert color="red">
        Held: {it.supplier} says that it delivered, but {it.held}. The eSIM may have been bought, so the order is
        neither placed again nor refunded by itself. Ask the supplier. Once it has corrected the order, retry it;
        otherwise fail it, which refunds the partner.
      </Alert>
    );
  if (detail.cancel === 'requested')
    return (
      <Alert color="yellow">
        Its cancel was requested.{' '}
        {it.state === 'delivered'
          ? 'It was delivered meanwhile, and its supplier is asked to withdraw the eSIM.'
          : 'A supplier may have it. No other supplier is tried, and the order fails as soon as we know that it will not be delivered.'}
      </Alert>
    );
  if (it.state === 'cancelled')
    return (
      <Alert color="gray">
        Cancelled. The whole price went back to the partner
        {it.delivered_at ? ', and the supplier took the eSIM back' : ''}.
      </Alert>
    );
  if (it.state === 'failed') return <Alert color="red">Failed. {whyFailed(detail)}</Alert>;
  if (can.retry)
    return (
      <Alert color={it.overdue_at === null ? 'yellow' : 'red'}>
        Paid and not delivered after {count(it.attempts + 1, 'attempt')}
        {it.overdue_at !== null && ', overdue'}. {reasonFor(it.reason)}
      </Alert>
    );
  return it.state === 'created' ? <Alert color="red">Its charge stopped half-way. You can fail it.</Alert> : null;
}

function About({ detail }: { detail: OrderDetail }) {
  const { mode, order: it, usage, autorefill } = detail;
  return (
    <Section
      title="Order"
      actions={
        <Group gap={6}>
          <OrderStatus state={it.state} />
          {detail.cancel === 'requested' && <Badge color="yellow">Cancel requested</Badge>}
          {it.is_routed && <Badge color="blue">Routed</Badge>}
          {it.held !== null && <Badge color="red">Held</Badge>}
          {it.overdue_at !== null && it.next_attempt_at !== null && <Badge color="red">Overdue</Badge>}
        </Group>
      }
    >
      <Facts
        facts={[
          [
            'Partner',
            <Anchor key="partner" component={Link} to={paths.partner(it.partner.id)} size="sm" underline="always">
              {it.partner.name} ({it.partner.id})
            </Anchor>,
          ],
          ['Reference', it.reference && <Copyable key="ref" value={it.reference} what="the reference" />],
          [
            'Idempotency key',
            it.idempotency_key && (
              <span key="idempotency" className="mono">
                {it.idempotency_key}
              </span>
            ),
          ],
          [
            'Batch',
            it.batch_id && (
              <Anchor key="batch" component={Link} to={paths.batch(it.batch_id, mode)} size="sm" underline="always">
                {it.batch_id}
              </Anchor>
            ),
          ],
          ['Type', it.type === 'refill' ? 'Refill' : 'eSIM'],
          ['ICCID', it.iccid && <Copyable key="iccid" value={it.iccid} what="the ICCID" />],
          ['Plan id', <Copyable key="plan" value={it.product_id} what="the plan’s id" />],
          ['Data', it.data],
          ['Valid for', count(it.day, 'day')],
          ['Used', it.iccid !== null && <Used key="used" usage={usage} data={it.data} mode={mode} />],
          ['Automatic refills', autorefill && refillsItself(autorefill)],
          ['Ordered', <When key="created" at={it.created_at} />],
          ['Paid', it.paid_at && <When key="paid" at={it.paid_at} />],
          ['Delivered at', it.delivered_at && <When key="delivered" at={it.delivered_at} />],
          [it.state === 'cancelled' ? 'Cancelled' : 'Failed', it.failed_at && <When key="failed" at={it.failed_at} />],
          ['eSIM withdrawn', it.withdrawn_at && <When key="withdrawn" at={it.withdrawn_at} />],
          ['Overdue since', it.overdue_at && <When key="overdue" at={it.overdue_at} />],
        ]}
      />
    </Section>
  );
}

const refillsItself = (rule: NonNullable<OrderDetail['autorefill']>): string =>
  [ruleWords(rule, rule.product_id), rule.stopped && `Stopped: ${whyStopped[rule.stopped]}`].filter(Boolean).join(' ');

function AtSupplier({ detail: { order: it, suppliers } }: { detail: OrderDetail }) {
  const [sold] = suppliers;
  return (
    <Section title="At the supplier">
      <Facts
        facts={[
          ['Supplier', it.supplier],
          [
            'Sold as a plan of',
            it.is_routed && sold && (sold.supplier === it.supplier ? `${sold.supplier} (${sold.plan})` : sold.supplier),
          ],
          [
            'Its plan',
            <span key="plan" className="mono">
              {it.supplier_plan}
            </span>,
          ],
          ['Our reference there', <Copyable key="ours" value={it.our_reference} what="our reference" />],
          [
            'Its order number',
            it.supplier_order && <Copyable key="theirs" value={it.supplier_order} what="the supplier’s order number" />,
          ],
          ['Expected cost', Number(it.cost) > 0 && <Cost key="cost" amount={it.cost} />],
          ['Charged by it', it.charged !== null && <Cost key="charged" amount={it.charged} />],
          ['Further attempts', it.attempts > 0 && String(it.attempts)],
          ['Next attempt', it.next_attempt_at && <When key="next" at={it.next_attempt_at} />],
        ]}
      />
    </Section>
  );
}
