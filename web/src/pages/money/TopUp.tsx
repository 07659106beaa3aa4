import { Button, Group, Stack, TextInput } from '@mantine/core';
import { confirmTopUp, openTopUp } from '../../api/money.ts';
import { useChange } from '../../api/queries.ts';
import { Done } from '../../components/Done.tsx';
import { Money } from '../../components/Money.tsx';
import { Problem } from '../../components/Problem.tsx';
import { Section } from '../../components/Section.tsx';
import type { Mode } from '../../paths.ts';
import { Pay } from './Pay.tsx';

/** Follows the API: open a payment, pay it with the card provider, confirm it. */
export function TopUp({ mode }: { mode: Mode }) {
  const open = useChange((amount: string) => openTopUp(mode, amount), []);
  const confirm = useChange((key: string) => confirmTopUp(mode, key), [mode]);
  const finish = (paymentKey: string) => confirm.mutate(paymentKey, { onSuccess: open.reset });
  return (
    <Section
      title="Top up"
      about={
        mode === 'live'
          ? 'Pay by card. Your wallet is credited once the payment is confirmed.'
          : 'Try the top-up flow. No card is needed and no money moves.'
      }
    >
      <Stack>
        {open.data ? (
          <Pay mode={mode} payment={open.data} isConfirming={confirm.isPending} onPaid={finish} onCancel={open.reset} />
        ) : (
          <form
            onSubmit={(event) => {
              event.preventDefault();
              confirm.reset();
              open.mutate(String(new FormData(event.currentTarget).get('amount')));
            }}
          >
            <Group align="flex-end" gap="xs">
              <TextInput
                name="amount"
                label="Amount (USD)"
                description="From 10 to 10,000."
                inputMode="decimal"
                placeholder="50.00"
                required
                flex={1}
              />
              <Button type="submit" loading={open.isPending}>
                Continue
              </Button>
            </Group>
          </form>
        )}
        <Problem error={open.error ?? confirm.error} />
        {confirm.data && (
          <Done>
            Your top-up went through. Your balance is now <Money amount={confirm.data.balance} />.
          </Done>
        )}
      </Stack>
    </Section>
  );
}
