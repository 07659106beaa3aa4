import { Button, Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Mode } from '../../../parts/mode.ts';
import { Problem } from '../../../parts/Problem.tsx';
import { useChange } from '../../../parts/server/useChange.ts';
import { confirmTopUp } from '../../api/money.ts';
import { type Payment, type ResumedTopup, resumedTopUp, resumeTopUp, type TopupOffer } from '../../api/topups.ts';
import { paths } from '../../paths.ts';
import { useMay } from '../../useMay.ts';
import { PaymentState } from './PaymentState.tsx';

interface OpenPaymentProps {
  mode: Mode;
  payment: Payment;
  offer: TopupOffer;
  /** Also asks the provider. For one payment at a time: members have a limit on requests that lead to outbound calls. */
  isChecked: boolean;
}

/** A payment in progress. Its state comes from the provider, so a payment that was completed elsewhere is not paid twice. */
export function OpenPayment({ mode, payment, offer, isChecked }: OpenPaymentProps) {
  const maySpend = useMay()('spend');
  const isReal = mode === 'live';
  const checked = useQuery({ ...resumedTopUp(payment.payment_key), enabled: isChecked && isReal && maySpend });
  const state = checked.data?.state === 'processing' ? 'processing' : payment.status;
  return (
    <PaymentState payment={payment} state={state} isTest={!isReal}>
      {maySpend &&
        state !== 'processing' &&
        (isReal ? <PayNow payment={payment} offer={offer} /> : <Confirm payment={payment} />)}
    </PaymentState>
  );
}

function PayNow({ payment, offer }: { payment: Payment; offer: TopupOffer }) {
  const resume = useChange(() => resumeTopUp(payment.payment_key), ['live', 'topups']);
  // Only the provider that opened a payment can take it.
  if (payment.provider !== offer.provider || (payment.provider === 'stripe' && !offer.has_card_form)) return null;
  const pay = () => {
    if (payment.provider === 'stripe') return window.location.assign(paths.cardForm(payment.payment_key));
    resume.mutate(undefined, {
      onSuccess: ({ client_secret }) => {
        if (client_secret !== null) window.location.assign(paths.pay(client_secret));
      },
    });
  };
  return (
    <Stack gap="xs">
      <Group>
        <Button size="sm" loading={resume.isPending} onClick={pay}>
          Pay now
        </Button>
      </Group>
      <Problem error={resume.error ?? noAnswer(resume.data)} />
    </Stack>
  );
}

const noAnswer = (resumed: ResumedTopup | undefined): Error | undefined =>
  resumed?.state === 'unanswered' || resumed?.state === 'off'
    ? new Error('The card provider does not answer right now. Try again in a moment.')
    : undefined;

function Confirm({ payment }: { payment: Payment }) {
  const confirm = useChange(() => confirmTopUp('sandbox', payment.payment_key), ['sandbox']);
  return (
    <Stack gap="xs">
      <Group>
        <Button size="sm" loading={confirm.isPending} onClick={() => confirm.mutate()}>
          Confirm
        </Button>
      </Group>
      <Problem error={confirm.error} />
    </Stack>
  );
}
