import { Alert, Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Empty } from '../../../parts/Empty.tsx';
import { IconCircleCheck, IconDownload, IconScale } from '../../../parts/icons.ts';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Money } from '../../../parts/Money.tsx';
import { Section } from '../../../parts/Section.tsx';
import { address } from '../../../parts/server/calls.ts';
import { Table } from '../../../parts/Table.tsx';
import { useFilters } from '../../../parts/useFilters.ts';
import { monthName } from '../../../subjects/money/months.ts';
import { type TrialBalanceView, trialBalance } from '../../api/money.ts';

const names: Readonly<Record<string, string>> = {
  cash: 'Wallets: cash',
  promo: 'Wallets: promo credit',
  receivable: 'Receivables (invoice accounts)',
  revenue: 'Revenue',
  card_clearing: 'Card payments',
  bank_clearing: 'Bank transfers',
  promo_expense: 'Promo credit granted',
  share_expense: 'Revenue share paid',
  adjustment: 'Adjustments',
  play_money: 'Play money',
};

/** A ledger account in words. */
const accountName = (account: string): string => names[account] ?? account;

const EVERY_MS = 30_000;

/** Debits and credits of every account, now or at the end of a month. */
export function TrialBalance() {
  const { of, filter } = useFilters();
  const chosen = { mode: of('mode'), month: of('month') };
  const read = useQuery({ ...trialBalance(chosen), placeholderData: keepPreviousData, refetchInterval: EVERY_MS });
  return (
    <Section
      title="Trial balance"
      about="Each transfer debits one account and credits another, so both columns have the same total. Balance is debits less credits."
      actions={
        <Button
          component="a"
          href={address('/operator/api/money/trial-balance.csv', chosen)}
          download
          variant="default"
          leftSection={<IconDownload size={16} />}
        >
          CSV
        </Button>
      }
    >
      <Stack gap="md">
        <Group gap="xs" align="flex-start">
          <NativeSelect
            label="World"
            value={of('mode') ?? 'live'}
            data={[
              { value: 'live', label: 'Live' },
              { value: 'sandbox', label: 'Sandbox' },
            ]}
            onChange={({ currentTarget: { value } }) => filter({ mode: value === 'live' ? undefined : value })}
          />
          <TextInput
            type="month"
            label="At the end of"
            description="Empty: now"
            inputWrapperOrder={['label', 'input', 'description']}
            value={of('month') ?? ''}
            onChange={({ currentTarget: { value } }) => filter({ month: value })}
          />
        </Group>
        <Loaded query={read} lines={6}>
          {(data) =>
            data.accounts.length === 0 && data.adds_up ? (
              <Empty icon={IconScale} title="Nothing has moved yet" />
            ) : (
              <>
                <Verdict of={data} />
                <Accounts of={data} />
              </>
            )
          }
        </Loaded>
      </Stack>
    </Section>
  );
}

function Verdict({ of: { adds_up, compared, differences, total, month } }: { of: TrialBalanceView }) {
  if (adds_up)
    return (
      <Alert color="teal" role="status" icon={<IconCircleCheck size={18} />}>
        Debits equal credits.{' '}
        {compared
          ? 'Cash, promo credit and receivables equal what the wallets say.'
          : `At the end of ${month ? monthName(month) : 'the month'}; wallets are compared only as they are now.`}
      </Alert>
    );
  return (
    <Alert color="red" role="alert" title="This does not add up">
      {total.debits !== total.credits && (
        <Text size="sm">
          Debits and credits differ by <Money amount={total.balance} />.
        </Text>
      )}
      {differences.map(({ account, in_ledger, in_wallets }) => (
        <Text key={account} size="sm">
          {accountName(account)}: <Money amount={in_ledger} /> in the ledger, <Money amount={in_wallets} /> in the
          wallets.
        </Text>
      ))}
      <Text size="sm">Have the ledger proved: it names the rows.</Text>
    </Alert>
  );
}

/** Not a `DataTable`: the columns have a total. It is narrow enough for a phone without becoming cards. */
function Accounts({ of: { accounts, total } }: { of: TrialBalanceView }) {
  return (
    <Table label="Trial balance" isNarrow>
      <thead>
        <tr>
          <th>Account</th>
          <th data-kind="figure">Debits</th>
          <th data-kind="figure">Credits</th>
          <th data-kind="figure" data-wide>
            Balance
          </th>
        </tr>
      </thead>
      <tbody>
        {accounts.map(({ account, debits, credits, balance }) => (
          <tr key={account}>
            <th scope="row">{accountName(account)}</th>
            <td data-kind="figure">
              <Money amount={debits} />
            </td>
            <td data-kind="figure">
              <Money amount={credits} />
            </td>
            <td data-kind="figure" data-wide>
              <Money amount={balance} />
            </td>
          </tr>
        ))}
        <tr data-total>
          <th scope="row">Total</th>
          <td data-kind="figure">
            <Money amount={total.debits} />
          </td>
          <td data-kind="figure">
            <Money amount={total.credits} />
          </td>
          <td data-kind="figure" data-wide>
            <Money amount={total.balance} />
          </td>
        </tr>
      </tbody>
    </Table>
  );
}
