import { Button, Group, Stack, Text } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import type { TopUp } from '../../api/money.ts';
import { Copyable } from '../../components/Copy.tsx';
import { Money } from '../../components/Money.tsx';
import { type Mode, paths } from '../../paths.ts';

interface PayProps {
  mode: Mode;
  payment: TopUp;
  isConfirming: boolean;
  onPaid: (paymentKey: string) => void;
  onCancel: () => void;
}

/** An open payment. The simulated provider has a page of its own; a real one is paid with the provider's client. */
export function Pay({ mode, payment, isConfirming, onPaid, onCancel }: PayProps) {
  return (
    <Stack gap="sm">
      <Text size="sm">
        Your payment of <Money amount={payment.amount} /> is open.{' '}
        {mode === 'live' ? 'Pay it, then confirm here.' : 'In the sandbox no card is needed: just confirm.'}
      </Text>
      {mode === 'live' && <WhereToPay clientSecret={payment.client_secret} />}
      <Group gap="xs">
        <Button loading={isConfirming} onClick={() => onPaid(payment.payment_key)}>
          {mode === 'live' ? 'I’ve paid' : 'Confirm'}
        </Button>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
      </Group>
    </Stack>
  );
}

function WhereToPay({ clientSecret }: { clientSecret: string }) {
  if (clientSecret.startsWith('sim_'))
    return (
      <Button
        component="a"
        href={paths.pay(clientSecret)}
        target="_blank"
        rel="noreferrer"
        variant="default"
        rightSection={<IconExternalLink size={15} />}
        style={{ alignSelf: 'flex-start' }}
      >
        Open payment page
      </Button>
    );
  return (
    <Text size="sm" c="dimmed">
      Pay with the card provider’s client, using this client secret:{' '}
      <Copyable value={clientSecret} what="the client secret" />
    </Text>
  );
}
