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

/** A payment that is open. The simulated provider has a page for it here; a real one is paid with its own client. */
export function Pay({ mode, payment, isConfirming, onPaid, onCancel }: PayProps) {
  return (
    <Stack gap="sm">
      <Text size="sm">
        Payment of <Money amount={payment.amount} /> is open. {mode === 'live' && 'Pay it, then confirm.'}
      </Text>
      {mode === 'live' && <WhereToPay clientSecret={payment.client_secret} />}
      <Group gap="xs">
        <Button loading={isConfirming} onClick={() => onPaid(payment.payment_key)}>
          {mode === 'live' ? 'I have paid: confirm' : 'Confirm'}
        </Button>
        <Button variant="default" onClick={onCancel}>
          Not now
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
        Open the payment page
      </Button>
    );
  return (
    <Text size="sm" c="dimmed">
      Pay with the card provider's client and this secret: <Copyable value={clientSecret} what="the client secret" />
    </Text>
  );
}
