import { Alert, Button, List, Progress, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { count } from '../../../parts/count.ts';
import { type Column, DataTable } from '../../../parts/DataTable.tsx';
import { Empty } from '../../../parts/Empty.tsx';
import { IconCircleCheck, IconShieldCheck } from '../../../parts/icons.ts';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Problem } from '../../../parts/Problem.tsx';
import { Section } from '../../../parts/Section.tsx';
import { When } from '../../../parts/When.tsx';
import { ago } from '../../../subjects/insight/words.ts';
import { useAction } from '../../api/actions.ts';
import { type ProofsView, type ProofView, proofs } from '../../api/money.ts';
import { useMay } from '../../useMay.ts';

const RUNNING_EVERY_MS = 2_000;
const EVERY_MS = 30_000;

/** The last proof of the ledger, the one that is running, and a button that starts one. */
export function Proofs() {
  const read = useQuery({
    ...proofs,
    refetchInterval: ({ state }) => (state.data?.open ? RUNNING_EVERY_MS : EVERY_MS),
  });
  const request = useAction('audit request', proofs.queryKey);
  const isOpen = Boolean(read.data?.open);
  return (
    <Section
      title="Proof of the ledger"
      about="Checks every wallet, movement, order, card payment and revenue share of both worlds against each other. It takes some seconds for each million orders."
      actions={
        useMay()('money') && (
          <Button
            variant="default"
            loading={request.isPending}
            disabled={isOpen || !read.data}
            onClick={() => request.mutate({})}
          >
            Prove it now
          </Button>
        )
      }
    >
      <Problem error={request.error} />
      <Loaded query={read} lines={4}>
        {(data) => (
          <Stack gap="md">
            {data.open && <Running of={data.open} />}
            <Last of={data} />
            {data.latest.length > 1 && (
              <DataTable label="Latest proofs" columns={columns} rows={data.latest} rowKey={({ id }) => id} />
            )}
          </Stack>
        )}
      </Loaded>
    </Section>
  );
}

function Running({ of: { started_at, done, total } }: { of: ProofView }) {
  if (started_at === null) return <Text size="sm">Asked for. A worker begins within a few seconds.</Text>;
  return (
    <div role="status">
      <Text size="sm" mb={6}>
        Running since <When at={started_at} exact />: {total === 0 ? 'begun' : `${done} of ${total} rules checked`}.
      </Text>
      <Progress value={total === 0 ? 0 : (done / total) * 100} aria-label="Rules checked" />
    </div>
  );
}

function Last({ of: { last, open, latest } }: { of: ProofsView }) {
  const failed = latest[0];
  const couldNot = failed && failed.result === null && failed.id !== last?.id && (
    <Alert color="red" role="alert" title="The latest proof could not be made">
      {failed.error}
    </Alert>
  );
  if (last === null || last.result === null)
    return (
      <>
        {couldNot}
        {!open && (
          <Empty icon={IconShieldCheck} title="The ledger was never proved">
            Have it proved now, and every night by the timer in deploy/systemd or a cron job that runs{' '}
            <code>audit</code>.
          </Empty>
        )}
      </>
    );
  return (
    <>
      {couldNot}
      {last.result.ok ? (
        <Alert color="teal" role="status" icon={<IconCircleCheck size={18} />} title="The books add up">
          Proved <When at={last.finished_at} exact />, {ago(last.age_seconds ?? 0)}, by {last.by}: {provedRows(last)}.
        </Alert>
      ) : (
        <Alert color="red" role="alert" title="The books do not add up">
          <Text size="sm" mb="xs">
            Found <When at={last.finished_at} exact />, {ago(last.age_seconds ?? 0)}, by {last.by}.
          </Text>
          <Broken world="Live" of={last.result.live} />
          <Broken world="Sandbox" of={last.result.sandbox} />
        </Alert>
      )}
    </>
  );
}

function provedRows({ result }: ProofView): string {
  const { orders = 0, movements = 0, transfers = 0 } = result?.live ?? {};
  return `${count(orders, 'live order')}, ${count(movements, 'movement')} and ${count(transfers, 'transfer')}`;
}

type World = NonNullable<ProofView['result']>['live'];

function Broken({ world, of: { drift } }: { world: string; of: Pick<World, 'drift'> }) {
  if (drift.length === 0) return null;
  return (
    <List size="sm">
      {drift.map(({ rule, rows, examples }) => (
        <List.Item key={rule}>
          {world}: “{rule}” is broken by {count(rows, 'row')}, e.g. <span className="mono">{examples.join(', ')}</span>
        </List.Item>
      ))}
    </List>
  );
}

const columns: readonly Column<ProofView>[] = [
  { label: 'Made', cell: ({ finished_at }) => <When at={finished_at} /> },
  { label: 'By', cell: ({ by }) => by },
  {
    label: 'Result',
    cell: ({ result, error }) => (result === null ? error || 'Not made' : result.ok ? 'Adds up' : 'Does not add up'),
  },
  { label: 'Took', kind: 'figure', cell: ({ seconds }) => (seconds === null ? '–' : count(seconds, 'second')) },
];
