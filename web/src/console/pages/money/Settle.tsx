import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { ConfirmButton } from '../../../parts/ConfirmButton.tsx';
import { count } from '../../../parts/count.ts';
import { type Column, DataTable } from '../../../parts/DataTable.tsx';
import { dollars, Money } from '../../../parts/Money.tsx';
import { Problem } from '../../../parts/Problem.tsx';
import { When } from '../../../parts/When.tsx';
import { useAction } from '../../api/actions.ts';
import { type PreviewView, settlementPreview } from '../../api/money.ts';
import { paths } from '../../paths.ts';

/** Previews what a settlement would pay, then runs it. */
export function Settle() {
  const preview = useQuery({ ...settlementPreview, enabled: false, gcTime: 0 });
  const settle = useAction('settle', ['money']);
  const { data, isFetching } = preview;
  return (
    <Stack gap="md" mt="md">
      <Group gap="xs">
        <Button
          variant="default"
          loading={isFetching}
          onClick={() => {
            settle.reset();
            preview.refetch();
          }}
        >
          {data ? 'Preview again' : 'Preview a settlement'}
        </Button>
        {data && data.partners.length > 0 && !settle.isSuccess && (
          <ConfirmButton
            label="Settle now"
            title="Settle the revenue share"
            word="settle"
            change={{ ...settle, mutateAsync: () => settle.mutateAsync({}) }}
          >
            {`This pays ${dollars(sum(data, 'amount'))} to ${count(data.partners.length, 'partner')}: ${dollars(sum(data, 'to_debt'))} off debts and ${dollars(sum(data, 'to_wallet'))} into wallets. It cannot be undone. What has become due since the preview is paid, too.`}
          </ConfirmButton>
        )}
      </Group>
      <Problem error={preview.error} />
      {settle.data && (
        <Alert color="teal" role="status">
          {count(settle.data.settled, 'share')} settled; {count(settle.data.looked, 'sale')} looked at.
        </Alert>
      )}
      {data && !settle.isSuccess && <Preview of={data} />}
    </Stack>
  );
}

const sum = ({ partners }: PreviewView, field: 'amount' | 'to_debt' | 'to_wallet'): number =>
  partners.reduce((all, one) => all + Math.round(Number(one[field]) * 100), 0) / 100;

function Preview({ of }: { of: PreviewView }) {
  return (
    <>
      <Text size="sm">
        {of.partners.length === 0
          ? `Nothing to settle: ${count(of.looked, 'sale')} looked at, none has a share that is due.`
          : `${count(of.looked, 'sale')} looked at.`}{' '}
        Made <When at={of.made_at} exact />.
      </Text>
      {!of.is_whole && (
        <Alert color="yellow" role="status">
          More is due than a preview covers, or a supplier is slow to answer. A settlement continues until everything
          that is due is paid.
        </Alert>
      )}
      {of.partners.length > 0 && (
        <DataTable
          label="What a settlement would pay"
          columns={columns}
          rows={of.partners}
          rowKey={({ partner }) => partner.id}
        />
      )}
    </>
  );
}

type Row = PreviewView['partners'][number];
const columns: readonly Column<Row>[] = [
  {
    label: 'Partner',
    cell: ({ partner }) => (
      <Anchor component={Link} to={paths.partner(partner.id)} size="sm">
        {partner.name}
      </Anchor>
    ),
  },
  { label: 'Shares', kind: 'figure', cell: ({ shares }) => <span className="num">{shares}</span> },
  { label: 'Off the debt', kind: 'figure', cell: ({ to_debt }) => <Money amount={to_debt} /> },
  { label: 'Debt after', kind: 'figure', cell: ({ outstanding_after }) => <Money amount={outstanding_after} /> },
  { label: 'To the wallet', kind: 'figure', cell: ({ to_wallet }) => <Money amount={to_wallet} /> },
  { label: 'Balance after', kind: 'figure', cell: ({ balance_after }) => <Money amount={balance_after} /> },
  { label: 'Amount', kind: 'figure', cell: ({ amount }) => <Money amount={amount} /> },
];
