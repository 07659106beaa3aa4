import { Group, Stack, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmButton } from '../../../parts/ConfirmButton.tsx';
import { Done } from '../../../parts/Done.tsx';
import type { Mode } from '../../../parts/mode.ts';
import { Section } from '../../../parts/Section.tsx';
import { useAction } from '../../api/actions.ts';
import { allInvoices, type InvoicePageView } from '../../api/invoices.ts';
import { partner } from '../../api/partners.ts';
import { useMay } from '../../useMay.ts';
import { MoveMoney } from '../partners/MoveMoney.tsx';

/** What can be done about a document: it can be paid, voided whole, and mailed again. It never changes itself. */
export function InvoiceActions({ of, mode }: { of: InvoicePageView; mode: Mode }) {
  const may = useMay();
  const { invoice } = of;
  const mayCredit = invoice.kind === 'invoice' && invoice.status !== 'void';
  if (!may('money') || (!mayCredit && !of.is_mail_on)) return null;
  return (
    <Section title="Actions">
      <Stack>
        <Group gap="xs">
          {mode === 'live' && Number(invoice.amount_due) > 0 && <Payment partnerId={of.partner.id} />}
          {of.is_mail_on && <SendAgain of={of} />}
          {mayCredit && <Credit of={of} mode={mode} />}
        </Group>
      </Stack>
    </Section>
  );
}

/** A payment is of the partner, not of one invoice: it settles the oldest first. */
function Payment({ partnerId }: { partnerId: number }) {
  const client = useQueryClient();
  const found = useQuery(partner(partnerId)).data?.partner;
  if (!found || found.status === 'closed' || Number(found.wallet.debt) <= 0) return null;
  return <MoveMoney of={found} kind="payment" onMoved={() => client.invalidateQueries({ queryKey: allInvoices })} />;
}

function SendAgain({ of: { invoice, mailed_to } }: { of: InvoicePageView }) {
  const send = useAction('invoice send', allInvoices);
  const input = { number: invoice.number };
  return (
    <>
      <ConfirmButton
        size="xs"
        variant="default"
        tone="give"
        label="Send again"
        title={`Send ${invoice.number} again?`}
        change={{ ...send, mutateAsync: () => send.mutateAsync(input) }}
      >
        It is mailed with its PDF to {mailed_to || 'the address of the account'}.
      </ConfirmButton>
      {send.isSuccess && <Done key={send.submittedAt}>It is on its way.</Done>}
    </>
  );
}

const MOST = 500;

function Credit({ of: { invoice }, mode }: { of: InvoicePageView; mode: Mode }) {
  const [reason, setReason] = useState('');
  const credit = useAction('invoice credit', allInvoices);
  const input = { number: invoice.number, reason: reason.trim(), mode };
  return (
    <ConfirmButton
      size="xs"
      label="Void by credit note"
      title={`Void ${invoice.number} by a credit note?`}
      isReady={reason.trim() !== ''}
      change={{ ...credit, mutateAsync: () => credit.mutateAsync(input) }}
      fields={
        <TextInput
          label="Reason"
          description="It stands on the credit note."
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
          maxLength={MOST}
          autoComplete="off"
          required
          data-autofocus
        />
      }
    >
      A credit note over the whole invoice is issued, and the partner is told. No money moves.{' '}
      <Text span size="sm">
        The month can then be issued again on the page of the partner, and the new invoice takes over what was paid.
      </Text>
    </ConfirmButton>
  );
}
