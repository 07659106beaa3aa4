import { Anchor, Badge, Button, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Choice } from '../../../parts/Choice.tsx';
import { Copyable } from '../../../parts/Copy.tsx';
import { type Column, DataTable } from '../../../parts/DataTable.tsx';
import { Empty } from '../../../parts/Empty.tsx';
import { IconCreditCard } from '../../../parts/icons.ts';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Money } from '../../../parts/Money.tsx';
import { OlderPager } from '../../../parts/OlderPager.tsx';
import { Problem } from '../../../parts/Problem.tsx';
import { pageSize } from '../../../parts/pageSize.ts';
import { Section } from '../../../parts/Section.tsx';
import { useFilters } from '../../../parts/useFilters.ts';
import { When } from '../../../parts/When.tsx';
import { useAction } from '../../api/actions.ts';
import { type PaymentView, payments } from '../../api/money.ts';
import { paths } from '../../paths.ts';
import { useMay } from '../../useMay.ts';

const PER_PAGE = 50;
const EVERY_MS = 15_000;
const kinds = [
  { value: 'all', label: 'All' },
  { value: 'open', label: 'Open' },
  { value: 'failed', label: 'Failed' },
  { value: 'disputed', label: 'Disputed' },
];
const none: Readonly<Record<string, string>> = {
  open: 'No payment is open',
  failed: 'No payment failed',
  disputed: 'No payment was refunded, disputed or of another amount',
};

/** Top-ups by card and their outcomes. */
export function CardsTab() {
  const filters = useFilters();
  const { of, filter, goBefore } = filters;
  const size = pageSize(filters, PER_PAGE);
  const only = of('only');
  const may = useMay()('money');
  const read = useQuery({
    ...payments({ only, before: of('before'), limit: size.value }),
    placeholderData: keepPreviousData,
    refetchInterval: EVERY_MS,
  });
  return (
    <Stack gap="md">
      <Choice
        label="Which payments"
        options={kinds}
        value={only ?? 'all'}
        onChange={(value) => filter({ only: value === 'all' ? undefined : value })}
      />
      <Section
        title="Card payments"
        about="Unpaid ones are checked with the provider automatically and closed after a day. Money that goes back to the card holder is taken from the wallet, or added to the debt."
        flush
      >
        <Loaded query={read} lines={6}>
          {({ payments: rows, has_more, provider }) => (
            <>
              {provider === null && (
                <Text size="sm" px="lg" pb="md">
                  Card payments are off in this process, so none can be checked.
                </Text>
              )}
              {rows.length === 0 ? (
                <Empty icon={IconCreditCard} title={none[only ?? ''] ?? 'No card payments yet'} />
              ) : (
                <DataTable
                  label="Card payments"
                  columns={columns(may && provider !== null)}
                  rows={rows}
                  rowKey={({ id }) => id}
                />
              )}
              <OlderPager
                shown={[rows.length, 'payment']}
                size={size}
                isFurther={of('before') !== undefined}
                hasMore={has_more}
                onNewest={() => goBefore(undefined)}
                onOlder={() => goBefore(rows.at(-1)?.id)}
              />
            </>
          )}
        </Loaded>
      </Section>
    </Stack>
  );
}

const states: Readonly<Record<PaymentView['status'], { label: string; color: string }>> = {
  requires_payment: { label: 'Open', color: 'yellow' },
  succeeded: { label: 'Paid', color: 'teal' },
  failed: { label: 'Failed', color: 'red' },
  expired: { label: 'Expired', color: 'gray' },
};

/** What is wrong with a payment; null: nothing. */
function trouble({ mismatch, refunded, disputed, recovered, open_amount }: PaymentView) {
  if (mismatch !== null) return <Text size="sm">{mismatch}</Text>;
  if (Number(refunded) + Number(disputed) === 0) return null;
  return (
    <Text size="sm">
      {Number(disputed) > 0 && (
        <>
          <Money amount={disputed} /> disputed.{' '}
        </>
      )}
      {Number(refunded) > 0 && (
        <>
          <Money amount={refunded} /> refunded.{' '}
        </>
      )}
      <Money amount={recovered} /> taken back
      {Number(open_amount) > 0 && (
        <>
          , <Money amount={open_amount} /> still to take
        </>
      )}
      .
    </Text>
  );
}

const columns = (mayCheck: boolean): Column<PaymentView>[] => [
  { label: 'Payment', cell: ({ payment_key }) => <Copyable value={payment_key} what="the payment key" /> },
  {
    label: 'Partner',
    cell: ({ partner_id, partner_name }) => (
      <Anchor component={Link} to={paths.partner(partner_id)} size="sm">
        {partner_name}
      </Anchor>
    ),
  },
  {
    label: 'Status',
    cell: ({ status }) => (
      <Badge color={states[status].color} tt="none">
        {states[status].label}
      </Badge>
    ),
  },
  { label: 'Started', cell: ({ created_at }) => <When at={created_at} /> },
  { label: 'Trouble', cell: (one) => trouble(one) },
  { label: 'Amount', kind: 'figure', cell: ({ amount }) => <Money amount={amount} /> },
  ...(mayCheck
    ? [{ label: 'Check', kind: 'actions', cell: (one: PaymentView) => <Check paymentKey={one.payment_key} /> } as const]
    : []),
];

/** Asks the card provider now. */
function Check({ paymentKey }: { paymentKey: string }) {
  const check = useAction('topup check', ['money', 'payments']);
  return (
    <Stack gap={4} align="flex-end">
      <Button size="xs" variant="default" loading={check.isPending} onClick={() => check.mutate({ paymentKey })}>
        Check now
      </Button>
      {check.isSuccess && (
        <Text size="xs" role="status">
          Checked
        </Text>
      )}
      <Problem error={check.error} />
    </Stack>
  );
}
