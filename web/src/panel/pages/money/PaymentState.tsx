import { Badge, Card, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Money } from '../../../parts/Money.tsx';
import { When } from '../../../parts/When.tsx';
import type { Payment } from '../../api/topups.ts';

type State = Payment['status'] | 'processing';

const badges: Record<State, readonly [label: string, color: string]> = {
  requires_payment: ['Not paid yet', 'yellow'],
  processing: ['Processing', 'blue'],
  succeeded: ['Paid', 'teal'],
  failed: ['Failed', 'red'],
  expired: ['Expired', 'gray'],
};

interface PaymentStateProps {
  payment: Payment;
  state: State;
  isTest?: boolean;
  /** What can be done about it. */
  children?: ReactNode;
}

/** One payment: its amount and state. */
export function PaymentState({ payment, state, isTest = false, children }: PaymentStateProps) {
  const [label, color] = badges[state];
  return (
    <Card withBorder padding="md" role="status" data-payment={payment.payment_key}>
      <Stack gap="xs">
        <Group justify="space-between" gap="xs">
          <Text fw={600}>
            <Money amount={payment.amount} />
          </Text>
          <Badge color={color}>{label}</Badge>
        </Group>
        <Text size="sm">
          {isTest && state === 'requires_payment' ? <InTest /> : <Meaning payment={payment} state={state} />}
        </Text>
        {children}
      </Stack>
    </Card>
  );
}

function InTest() {
  return <>In the sandbox no card is needed: confirm it, and the test balance grows.</>;
}

function Meaning({ payment, state }: { payment: Payment; state: State }) {
  switch (state) {
    case 'requires_payment':
      return (
        <>
          Opened <When at={payment.created_at} exact />. It can be paid until <When at={payment.expires_at} exact />.
        </>
      );
    case 'processing':
      return <>The card provider is still processing it. Your wallet is credited as soon as it has gone through.</>;
    case 'succeeded':
      return Number(payment.returned) > 0 ? (
        <>
          Your wallet was credited, but <Money amount={payment.returned} /> went back to the card and was taken out
          again.
        </>
      ) : (
        <>Your wallet was credited.</>
      );
    case 'failed':
      return payment.mismatch === null ? (
        <>It was declined or cancelled. Your wallet was not credited.</>
      ) : (
        <>Your wallet was not credited: {payment.mismatch}. Contact the operator to get it back.</>
      );
    case 'expired':
      return <>It was not paid within 24 hours, so it was closed. Nothing was charged.</>;
  }
}
