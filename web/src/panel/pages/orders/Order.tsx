import { Alert, Anchor, Skeleton, Stack } from '@mantine/core';
import { usePrefetchQuery, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link, useParams } from 'react-router';
import { Copyable } from '../../../parts/Copy.tsx';
import { count } from '../../../parts/count.ts';
import { Facts } from '../../../parts/Facts.tsx';
import { Loaded } from '../../../parts/Loaded.tsx';
import type { Mode } from '../../../parts/mode.ts';
import { Page } from '../../../parts/Page.tsx';
import { Section } from '../../../parts/Section.tsx';
import { CardShape } from '../../../parts/shapes.tsx';
import { When } from '../../../parts/When.tsx';
import { isFailed, isOpen } from '../../../subjects/orders/OrderStatus.tsx';
import { activationText } from '../../../subjects/plans/facts.ts';
import { keys } from '../../api/keys.ts';
import { hasOpenState, isRefill, type OrderAccount, type OrderDetail, order, orderMoney } from '../../api/orders.ts';
import { timeline } from '../../api/requests.ts';
import { shareLink } from '../../api/share.ts';
import { paths } from '../../paths.ts';
import { useMay } from '../../useMay.ts';
import { useMode } from '../../useMode.ts';
import { Phone } from '../esims/Phone.tsx';
import { CancelSection } from './CancelSection.tsx';
import { Esim } from './Esim.tsx';
import { Failed } from './Failed.tsx';
import { MoneySection } from './MoneySection.tsx';
import classes from './Order.module.css';
import { RefundSection } from './RefundSection.tsx';
import { ShareCard } from './ShareCard.tsx';
import { Strip } from './Strip.tsx';
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
      data &&
      (isOpen(data.order.status) || data.cancel?.status === 'requested'
        ? EVERY_MS
        : data.refund?.status === 'requested' && UNDECIDED_MS),
  });
  // Not after the order: the page would fill in two steps.
  usePrefetchQuery(timeline(mode, id));
  useQuery(shareLink(mode, id));
  const read = useQuery({ ...orderMoney(mode, id, versionOf(found.data)), enabled: found.data !== undefined });
  // Read later than the order, it may know of a delivery or a failure that the order's answer does not have yet.
  const isAhead =
    found.data !== undefined && isOpen(found.data.order.status) && read.data !== undefined && !hasOpenState(read.data);
  const { refetch } = found;
  useEffect(() => {
    if (isAhead) void refetch();
  }, [isAhead, refetch]);
  const account = isAhead ? undefined : read.data;
  return (
    <Page
      title={`Order ${id}`}
      about={found.data?.order.title_display ?? '\u00a0'}
      back={{ to: paths.orders(mode), label: 'Orders' }}
      shape={<Shape />}
    >
      <Loaded query={found} shape={<Shape />}>
        {(detail) => (
          <>
            {isFailed(detail.order.status) && detail.cancel?.status !== 'cancelled' && (
              <Failed mode={mode} account={account} />
            )}
            {detail.operator_meta.warning && <Alert color="yellow">{detail.operator_meta.warning}</Alert>}
            <Strip mode={mode} detail={detail} account={account} />
            <div className={classes.columns}>
              <Stack>
                <Timeline mode={mode} orderId={detail.order.id} />
                {detail.esim.qrcode !== null && detail.esim.iccid !== null && (
                  <Phone mode={mode} iccid={detail.esim.iccid} />
                )}
                {detail.esim.iccid !== null && <UsageBar mode={mode} iccid={detail.esim.iccid} />}
                {detail.esim.qrcode !== null && <ShareCard mode={mode} orderId={detail.order.id} />}
              </Stack>
              <Stack>
                <CancelSection detail={detail} />
                <RefundSection mode={mode} detail={detail} />
                <Esim mode={mode} detail={detail} account={account} />
                <MoneySection order={detail.order} account={read} />
                <About mode={mode} detail={detail} account={account} />
              </Stack>
            </div>
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** The strip, and the two columns. */
const Shape = () => (
  <>
    <Skeleton height={96} />
    <div className={classes.columns}>
      <CardShape />
      <CardShape />
    </div>
  </>
);

/** When one of these has changed, the order's money may have moved. */
const versionOf = (detail: OrderDetail | undefined): string =>
  `${detail?.order.status} ${detail?.refund?.status} ${detail?.refund?.amount}`;

function About({ mode, detail, account }: { mode: Mode; detail: OrderDetail; account: OrderAccount | undefined }) {
  const { order: it, esim, operator_meta } = detail;
  return (
    <Section title="Order">
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
          [
            'Plan',
            <Anchor key="plan" component={Link} to={`${paths.orders(mode)}?product_id=${it.product_id}`} size="sm">
              {it.product_title}
            </Anchor>,
          ],
          ['Plan id', <Copyable key="product" value={it.product_id} what="the plan’s id" />],
          ['Destination', it.country_name],
          ['Data', it.data],
          ['Valid for', count(it.day, 'day')],
          ['Network', it.operator_title],
          ['Fair use', it.fair_use_text],
          // A refill starts no validity of its own.
          ['Validity starts', !isRefill(detail) && activationText(operator_meta.activation_policy)],
          ['Ordered', <When key="date" at={it.date} />],
          ['Delivered at', account?.delivered_at && <When key="delivered" at={account.delivered_at} />],
          [
            detail.cancel?.status === 'cancelled' ? 'Cancelled' : 'Failed',
            account?.failed_at && <When key="failed" at={account.failed_at} />,
          ],
          ['API key', account?.key_id && <KeyName key="key" id={account.key_id} />],
          [
            'Idempotency key',
            account?.idempotency_key && (
              <Copyable key="idempotency" value={account.idempotency_key} what="the idempotency key" />
            ),
          ],
          [
            'Batch',
            account?.batch_id && (
              <Anchor key="batch" component={Link} to={`${paths.orders(mode)}?batch=${account.batch_id}`} size="sm">
                {account.batch_id}
              </Anchor>
            ),
          ],
          [
            'Supplier reference',
            it.api_sale_code && <Copyable key="sale" value={it.api_sale_code} what="the supplier reference" />,
          ],
        ]}
      />
    </Section>
  );
}

/** The API key with this id, as far as the member may see keys. */
function KeyName({ id }: { id: number }) {
  const maySeeKeys = useMay()('see-keys');
  const found = useQuery({ ...keys, enabled: maySeeKeys }).data?.keys.find((key) => key.id === id);
  if (!maySeeKeys || !found) return <span className="num">No. {id}</span>;
  return (
    <Anchor component={Link} to={paths.keys} className="mono">
      {found.mask}
    </Anchor>
  );
}
