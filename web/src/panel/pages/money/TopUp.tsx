import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router';
import { IconDownload } from '../../../parts/icons.ts';
import { Loaded } from '../../../parts/Loaded.tsx';
import type { Mode } from '../../../parts/mode.ts';
import { Section } from '../../../parts/Section.tsx';
import { isOpen, type Payment, receiptAddress, topups } from '../../api/topups.ts';
import { useIsView } from '../../useIsView.ts';
import { useMay } from '../../useMay.ts';
import { OpenPayment } from './OpenPayment.tsx';
import { PaymentState } from './PaymentState.tsx';
import { TopUpForm } from './TopUpForm.tsx';

const DAY_MS = 24 * 60 * 60_000;

/** Payments waiting for the member, the outcome of the last one, and the form for a new one. */
export function TopUp({ mode }: { mode: Mode }) {
  const maySpend = useMay()('spend');
  const read = useQuery(topups(mode));
  const [search] = useSearchParams();
  useFreshBalance(mode, read.data?.topups);
  if (!maySpend && !read.data?.topups.some(isOpen)) return null;
  return (
    <Section
      title="Top up"
      about={
        mode === 'live'
          ? 'Pay by card. Your wallet is credited as soon as the payment has gone through.'
          : 'Try the top-up flow. No card is needed and no money moves.'
      }
    >
      <Loaded query={read}>
        {({ offer, topups: payments }) => (
          <Stack>
            {worthShowing(payments, search.get('payment')).map((payment) =>
              isOpen(payment) ? (
                <OpenPayment
                  key={payment.payment_key}
                  mode={mode}
                  payment={payment}
                  offer={offer}
                  isChecked={payment === payments.find(isOpen)}
                />
              ) : (
                <PaymentState key={payment.payment_key} payment={payment} state={payment.status}>
                  {payment.status === 'succeeded' && <Receipt mode={mode} payment={payment} />}
                </PaymentState>
              ),
            )}
            {maySpend && (offer.provider ? <TopUpForm mode={mode} offer={offer} /> : <Off />)}
          </Stack>
        )}
      </Loaded>
    </Section>
  );
}

function Receipt({ mode, payment }: { mode: Mode; payment: Payment }) {
  if (useIsView()) return null;
  return (
    <Group>
      <Button
        component="a"
        href={receiptAddress(mode, payment.payment_key)}
        download
        size="sm"
        variant="default"
        leftSection={<IconDownload size={16} />}
      >
        Receipt
      </Button>
    </Group>
  );
}

function Off() {
  return <Text size="sm">Card payments are switched off here. Ask the operator how to add money to your wallet.</Text>;
}

/** The open payments, the one the member just returned from, and the last one completed or failed today. */
function worthShowing(payments: readonly Payment[], named: string | null): Payment[] {
  const last = payments.find((payment) => !isOpen(payment));
  const isFresh = last !== undefined && Date.now() - Date.parse(last.created_at) < DAY_MS;
  return payments.filter(
    (payment) => isOpen(payment) || payment.payment_key === named || (isFresh && payment === last),
  );
}

/** A completed payment changes what can be spent. */
function useFreshBalance(mode: Mode, payments: readonly Payment[] | undefined): void {
  const client = useQueryClient();
  const states = payments?.map(({ payment_key, status }) => `${payment_key} ${status}`).join();
  const before = useRef(states);
  useEffect(() => {
    if (before.current !== undefined && before.current !== states)
      void client.invalidateQueries({
        predicate: ({ queryKey }) => queryKey[0] === mode && queryKey[1] !== 'topups' && queryKey[1] !== 'topup',
      });
    before.current = states;
  }, [client, mode, states]);
}
