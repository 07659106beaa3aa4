import { Anchor, Card, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Money } from '../../../parts/Money.tsx';
import type { Mode } from '../../../parts/mode.ts';
import { isDelivered, isOpen, StatusOf } from '../../../subjects/orders/OrderStatus.tsx';
import { esim } from '../../api/esims.ts';
import { isRefill, type OrderAccount, type OrderDetail } from '../../api/orders.ts';
import { shareLink } from '../../api/share.ts';
import { paths } from '../../paths.ts';
import { useIsView } from '../../useIsView.ts';
import { useMay } from '../../useMay.ts';
import { CancelOrder } from './CancelSection.tsx';
import { MailPage } from './MailPage.tsx';
import { RequestRefund } from './RequestRefund.tsx';
import { ResendEvents } from './ResendEvents.tsx';

interface StripProps {
  mode: Mode;
  detail: OrderDetail;
  account: OrderAccount | undefined;
}

/** What the order is at a glance, and what can be done about it. */
export function Strip({ mode, detail, account }: StripProps) {
  const { order, esim: it, cancel } = detail;
  const may = useMay();
  const isView = useIsView();
  const hasPage = it.qrcode !== null;
  const share = useQuery({ ...shareLink(mode, order.id), enabled: hasPage }).data?.share;
  const known = useQuery({ ...esim(mode, it.iccid ?? ''), enabled: it.iccid !== null }).data;
  const page = share?.shareable ? share.url : undefined;
  return (
    <Card component="section" withBorder padding="lg" aria-label="At a glance">
      <Group justify="space-between" gap="lg" align="flex-start">
        <Group gap="xl" align="flex-start">
          <Part name="Status">
            <StatusOf status={order.status} known={account?.state ?? knownState(detail)} />
          </Part>
          <Part name="Amount">
            <Text fw={600} component="span">
              <Money amount={order.sale_price} />
            </Text>
            {account && Number(account.returned) > 0 && (
              <Text size="xs" c="dimmed" component="div">
                <Money amount={account.returned} /> came back
              </Text>
            )}
          </Part>
          <Part name="Traveller">
            {page ? (
              <Anchor href={page} target="_blank" rel="noreferrer" size="sm" underline="always">
                Open their page
              </Anchor>
            ) : it.iccid !== null ? (
              <Anchor component={Link} to={paths.esim(mode, it.iccid)} size="sm" underline="always">
                {isRefill(detail) ? 'The eSIM it refills' : 'The eSIM'}
              </Anchor>
            ) : (
              <Text size="sm" c="dimmed" component="span">
                {isOpen(order.status) ? 'No eSIM yet' : 'No eSIM'}
              </Text>
            )}
          </Part>
        </Group>
        {!isView && (
          <Group gap="xs" align="flex-start">
            {may('change') && page && share?.mail_on && <MailPage mode={mode} orderId={order.id} />}
            {may('develop') && <ResendEvents mode={mode} orderId={order.id} />}
            {/* It keeps its place when the refund arrives, because it shows the outcome. */}
            {may('refund') && isDelivered(order.status) && <RequestRefund mode={mode} detail={detail} known={known} />}
            {may('refund') && isOpen(order.status) && !cancel && <CancelOrder mode={mode} orderId={order.id} />}
          </Group>
        )}
      </Group>
    </Card>
  );
}

function Part({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Stack gap={2}>
      <Text size="xs" c="dimmed">
        {name}
      </Text>
      <div>{children}</div>
    </Stack>
  );
}

const isWhole = (refund: OrderDetail['refund'], price: string): boolean => Number(refund?.amount ?? 0) >= Number(price);

/** Until the order's movements are loaded, the refund's amount says whether all of it was refunded. */
const knownState = ({ order: it, refund, cancel }: OrderDetail) => {
  if (cancel?.status === 'cancelled') return 'cancelled';
  return isDelivered(it.status) && isWhole(refund, it.sale_price) ? 'refunded' : undefined;
};
