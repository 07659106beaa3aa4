import { Alert, Anchor, Group, Loader, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Money } from '../../../parts/Money.tsx';
import { type PlacedOrder, purchaseUnder } from '../../api/purchases.ts';
import { me } from '../../api/session.ts';
import { paths } from '../../paths.ts';
import { BuyButton } from './BuyButton.tsx';
import { forget, type Interrupted, kept } from './interrupted.ts';
import { JustBought } from './JustBought.tsx';

/**
 * The dialog of a purchase that was interrupted, by a session that ended or by a page that was left before the answer: whether it
 * happened, and if it did not, the same form again. It is sent under the same key, so it cannot happen twice.
 */
export function ResumedPurchase() {
  const memberId = useQuery(me).data?.member.id;
  const [of] = useState(kept);
  const { key } = useLocation();
  const [openedAt] = useState(key);
  // A link in the dialog leads away from it.
  if (of === null || of.memberId !== memberId || key !== openedAt) return null;
  return of.key === undefined ? <BuyAgain of={of}>{NOT_BOUGHT}</BuyAgain> : <Sent of={of} underKey={of.key} />;
}

const NOT_BOUGHT =
  'You were signed out, or the connection ended, before the purchase was made. Nothing was bought and nothing was charged.';

function Sent({ of, underKey }: { of: Interrupted; underKey: string }) {
  const found = useQuery(purchaseUnder(of.mode, underKey));
  const { order, is_running } = found.data ?? {};
  const isCertain = Boolean(order) || is_running === false;
  useEffect(() => {
    if (isCertain) forget();
  }, [isCertain]);
  if (order === null && !is_running) return <BuyAgain of={of}>{NOT_BOUGHT}</BuyAgain>;
  // What failed has used its key up.
  if (order?.state === 'failed')
    return (
      <BuyAgain of={{ ...of, key: undefined }}>
        Your purchase was tried and failed, as{' '}
        <Anchor component={Link} to={paths.order(of.mode, order.id)} fz="inherit" underline="always">
          order {order.id}
        </Anchor>{' '}
        says. {Number(order.charged) === 0 ? 'Nothing was charged.' : 'What was charged was given back.'}
      </BuyAgain>
    );
  return (
    <Told title={order ? `You bought “${of.title}”` : `Buy “${of.title}”`}>
      <Loaded query={found}>{() => (order ? <Bought of={of} order={order} /> : <StillRunning />)}</Loaded>
    </Told>
  );
}

function Bought({ of, order }: { of: Interrupted; order: PlacedOrder }) {
  const isBatch = order.batch_id !== null;
  return (
    <Stack>
      <Text size="sm">
        The connection ended before the answer arrived, but your purchase went through. It was charged once:{' '}
        <Money amount={order.charged} />
        {isBatch && ` for each of ${of.quantity} eSIMs`}.
      </Text>
      {isBatch || of.iccid !== undefined ? (
        <Anchor
          component={Link}
          to={isBatch ? `${paths.orders(of.mode)}?batch=${order.batch_id}` : paths.order(of.mode, order.id)}
          size="sm"
          className="target"
        >
          {isBatch ? 'See the orders' : `Order ${order.id}`}
        </Anchor>
      ) : (
        <JustBought mode={of.mode} orderId={order.id} />
      )}
    </Stack>
  );
}

const StillRunning = () => (
  <Group gap="xs" role="status">
    <Loader size="xs" aria-hidden="true" />
    <Text size="sm">We are still working on your purchase. This tells you in a moment whether it happened.</Text>
  </Group>
);

/** A dialog that only says something. */
function Told({ title, children }: { title: string; children: ReactNode }) {
  const [isOpen, { close }] = useDisclosure(true);
  return (
    <Modal opened={isOpen} onClose={close} title={title}>
      {children}
    </Modal>
  );
}

/** The form again, with what was typed. */
function BuyAgain({ of, children }: { of: Interrupted; children: ReactNode }) {
  const { mode, productId, title, iccid } = of;
  return (
    <BuyButton mode={mode} productId={productId} title={title} {...(iccid && { iccid })} resumed={of}>
      <Alert color="blue" p="sm" role="status" title="Not bought yet">
        {children}
      </Alert>
    </BuyButton>
  );
}
