import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Empty } from '../../../parts/Empty.tsx';
import { IconClock, IconDeviceSim, IconX } from '../../../parts/icons.ts';
import { Loaded } from '../../../parts/Loaded.tsx';
import type { Mode } from '../../../parts/mode.ts';
import { Section } from '../../../parts/Section.tsx';
import { isFailed, isOpen } from '../../../subjects/orders/OrderStatus.tsx';
import { esim as esimOf } from '../../api/esims.ts';
import { isRefill, type OrderAccount, type OrderDetail } from '../../api/orders.ts';
import { paths } from '../../paths.ts';
import { Withdrawn } from '../esims/Withdrawn.tsx';
import { Activation, KEEP_SECRET } from './Activation.tsx';
import { reasonOf } from './outcome.ts';

interface EsimProps {
  mode: Mode;
  detail: OrderDetail;
  /** Why it waits; undefined: not loaded yet. */
  account?: OrderAccount | undefined;
}

/** The eSIM an order brought, or the one it refilled. */
export function Esim({ mode, detail, account }: EsimProps) {
  const { order, esim, refund, cancel } = detail;
  if (isRefill(detail)) return <Refilled mode={mode} detail={detail} />;
  if (esim.iccid === null)
    return (
      <Section title="eSIM">
        {isFailed(order.status) ? (
          <Empty icon={IconX} title="No eSIM">
            This order {cancel?.status === 'cancelled' ? 'was cancelled' : 'failed'}, so no eSIM will be delivered.
          </Empty>
        ) : (
          <Empty icon={IconClock} title="Waiting for delivery">
            {reasonOf(account?.reason ?? '')} The eSIM appears here once it is delivered, and order.delivered is sent to
            your webhooks.
          </Empty>
        )}
      </Section>
    );
  // Only a refund or a cancel withdraws an eSIM, so otherwise the codes are shown without waiting for its state.
  return refund?.status === 'refunded' || cancel?.status === 'cancelled' ? (
    <AfterRefund mode={mode} detail={detail} iccid={esim.iccid} />
  ) : (
    <Delivered detail={detail} />
  );
}

function Delivered({ detail }: Pick<EsimProps, 'detail'>) {
  return (
    <Section title="eSIM" about={KEEP_SECRET}>
      <Activation esim={detail.esim} />
    </Section>
  );
}

function AfterRefund({ mode, detail, iccid }: EsimProps & { iccid: string }) {
  const found = useQuery(esimOf(mode, iccid));
  if (found.data && found.data.esim.state !== 'cancelled') return <Delivered detail={detail} />;
  return (
    <Section title="eSIM">
      <Loaded query={found}>{() => <Withdrawn iccid={iccid} />}</Loaded>
    </Section>
  );
}

function Refilled({ mode, detail: { order, esim, cancel } }: EsimProps) {
  const iccid = esim.iccid ?? '';
  const [icon, title] = isFailed(order.status)
    ? ([IconX, 'Nothing was added'] as const)
    : isOpen(order.status)
      ? ([IconClock, 'Waiting for the refill'] as const)
      : ([IconDeviceSim, 'Refill added'] as const);
  return (
    <Section title="eSIM">
      <Empty icon={icon} title={title}>
        {isFailed(order.status) &&
          `This refill ${cancel?.status === 'cancelled' ? 'was cancelled' : 'failed'}. The eSIM keeps the data and days it had: `}
        {isOpen(order.status) && 'Its data and days are on their way to this eSIM: '}
        {!isFailed(order.status) && !isOpen(order.status) && 'This order added data and days to an existing eSIM: '}
        <Anchor component={Link} to={paths.esim(mode, iccid)} className="mono">
          {iccid}
        </Anchor>
      </Empty>
    </Section>
  );
}
