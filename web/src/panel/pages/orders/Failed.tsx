import { Alert, Anchor } from '@mantine/core';
import { Link } from 'react-router';
import type { Mode } from '../../../parts/mode.ts';
import type { OrderAccount } from '../../api/orders.ts';
import { paths } from '../../paths.ts';
import { useMay } from '../../useMay.ts';
import { outcomeOf, reasonOf } from './outcome.ts';

const ofMoney = ['insufficient_balance', 'credit_limit_exceeded'];

/** Why an order failed, what happened to its money, and what to do. */
export function Failed({ mode, account }: { mode: Mode; account: OrderAccount | undefined }) {
  const may = useMay();
  const isAboutMoney = account !== undefined && ofMoney.includes(account.reason);
  return (
    <Alert
      color="red"
      title="This order failed and costs you nothing"
      styles={{ title: { color: 'var(--mantine-color-text)' } }}
    >
      {account && (
        <>
          {reasonOf(account.reason)}{' '}
          {outcomeOf(account) === 'not charged'
            ? 'Nothing was charged.'
            : 'The price had been charged; all of it went back to your account when the order failed.'}{' '}
        </>
      )}
      {isAboutMoney && may('see-money') && (
        <Anchor component={Link} to={paths.money(mode)} fz="inherit" c="inherit" underline="always">
          See your balance.
        </Anchor>
      )}{' '}
      To try again, send the purchase with a new idempotency key.
    </Alert>
  );
}
