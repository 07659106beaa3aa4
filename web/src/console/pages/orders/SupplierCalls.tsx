import { Badge, Group, Stack, Text } from '@mantine/core';
import { CodeBlock } from '../../../parts/Copy.tsx';
import { count } from '../../../parts/count.ts';
import { Section } from '../../../parts/Section.tsx';
import { When } from '../../../parts/When.tsx';
import type { OrderDetail } from '../../api/orders.ts';
import classes from './SupplierCalls.module.css';

type Call = OrderDetail['supplier_calls'][number];
type Exchange = Call['exchanges'][number];

const operations: Record<Call['operation'], string> = {
  order: 'Ordered',
  find: 'Looked up',
  withdraw: 'Asked to withdraw the eSIM',
  suspend: 'Asked to suspend the eSIM',
  resume: 'Asked to resume the eSIM',
};

const good = ['delivered', 'refilled', 'withdrawn', 'done'];
const bad = ['refused', 'failed'];
const colorOf = (outcome: string): string =>
  good.includes(outcome) ? 'teal' : bad.includes(outcome) ? 'red' : 'yellow';

/** Every call to the supplier, with what was sent and what came back. */
export function SupplierCalls({ detail }: { detail: OrderDetail }) {
  const { supplier_calls: calls, supplier_calls_kept_days: days } = detail;
  return (
    <Section
      title="Calls to the supplier"
      about={`Oldest first, kept for ${count(days, 'day')}. Activation data and credentials are masked before anything is kept.`}
    >
      {calls.length === 0 ? (
        <Text size="sm" c="dimmed">
          {detail.order.paid_at === null
            ? 'The supplier was not called: the order was not paid.'
            : 'No call is on record: they are older, or were made before calls were recorded.'}
        </Text>
      ) : (
        <Stack gap="md">
          {calls.map((call) => (
            <OneCall key={call.id} call={call} />
          ))}
        </Stack>
      )}
    </Section>
  );
}

function OneCall({ call }: { call: Call }) {
  return (
    <details className={classes.call}>
      <summary className={classes.summary}>
        <Group gap="xs" component="span" display="inline-flex">
          <span>
            {operations[call.operation]} at {call.supplier}
          </span>
          <Badge color={colorOf(call.outcome)}>{call.outcome}</Badge>
        </Group>
        <Text size="xs" c="dimmed" component="span" display="block">
          <When at={call.at} exact />, {call.duration_ms} ms{call.reason !== '' && `, ${call.reason}`}
        </Text>
      </summary>
      <Stack gap="sm" mt="sm">
        {call.exchanges.map((one, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: calls never change their order and have no other key.
          <OneExchange key={i} of={one} />
        ))}
      </Stack>
    </details>
  );
}

function OneExchange({ of: { method, path, asked, status, answered, failed, ms } }: { of: Exchange }) {
  return (
    <Stack gap={4}>
      {method === undefined ? (
        <Text size="sm">No HTTP call was made. The request and the answer:</Text>
      ) : (
        <Text size="sm" className="mono" style={{ overflowWrap: 'anywhere' }}>
          {method} {path}
        </Text>
      )}
      {asked !== '' && <CodeBlock text={indented(asked)} what="what was asked" />}
      <Text size="sm" c="dimmed">
        {failed === undefined ? (status === undefined ? 'Answer' : `HTTP ${status}`) : `No answer: ${failed}`}
        {ms !== undefined && ` after ${ms} ms`}
      </Text>
      {answered !== '' && <CodeBlock text={indented(answered)} what="the answer" />}
    </Stack>
  );
}

/** Indents JSON. A body that was cut off is not valid JSON and stays as it is. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
