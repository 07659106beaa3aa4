import { Alert, Button, Group, Stack, TextInput } from '@mantine/core';
import { Form } from '../../../parts/Form.tsx';
import { dollars } from '../../../parts/Money.tsx';
import type { Mode } from '../../../parts/mode.ts';
import { Problem } from '../../../parts/Problem.tsx';
import { useChange } from '../../../parts/server/useChange.ts';
import { openTopUp } from '../../api/money.ts';
import type { TopupOffer } from '../../api/topups.ts';
import { paths } from '../../paths.ts';

/** Opens a payment and goes to the page where it is paid. In the sandbox it is confirmed on this page. */
export function TopUpForm({ mode, offer }: { mode: Mode; offer: TopupOffer }) {
  const open = useChange((amount: string) => openTopUp(mode, amount), [mode, 'topups']);
  if (offer.provider === 'stripe' && !offer.has_card_form) return <NoCardForm />;
  return (
    <Form
      onSubmit={(typed, form) => {
        open.mutate(String(typed.get('amount')).trim(), {
          onSuccess: ({ payment_key, client_secret, provider }) => {
            if (provider === 'stripe') window.location.assign(paths.cardForm(payment_key));
            else if (provider === 'simulated') window.location.assign(paths.pay(client_secret));
            else form.reset();
          },
        });
      }}
    >
      <Stack gap="sm">
        <Group align="flex-end" gap="xs">
          <TextInput
            name="amount"
            label="Amount (USD)"
            description={rangeOf(offer)}
            inputMode="decimal"
            placeholder="50.00"
            autoComplete="off"
            required
            flex={1}
            miw={180}
          />
          <Button type="submit" loading={open.isPending || (open.isSuccess && mode === 'live')}>
            {mode === 'live' ? 'Continue to payment' : 'Open payment'}
          </Button>
        </Group>
        <Problem error={open.error} />
      </Stack>
    </Form>
  );
}

function rangeOf({ min, max, max_balance }: TopupOffer): string {
  const range = `From ${dollars(min)} to ${dollars(max)}.`;
  return max_balance === null ? range : `${range} The test balance can’t exceed ${dollars(max_balance)}.`;
}

function NoCardForm() {
  return (
    <Alert color="yellow" title="The card form is not set up">
      Cards can’t be entered here yet. The operator has to set STRIPE_PUBLISHABLE_KEY on the server.
    </Alert>
  );
}
