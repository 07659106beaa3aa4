import { Badge, Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Column, DataTable } from '../../../parts/DataTable.tsx';
import { Done } from '../../../parts/Done.tsx';
import { Empty } from '../../../parts/Empty.tsx';
import { Form } from '../../../parts/Form.tsx';
import { IconMail } from '../../../parts/icons.ts';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Problem } from '../../../parts/Problem.tsx';
import { Section } from '../../../parts/Section.tsx';
import { When } from '../../../parts/When.tsx';
import { useAction } from '../../api/actions.ts';
import { type Mail, mails, systemKey } from '../../api/service.ts';
import { useMay } from '../../useMay.ts';
import { mailName } from './mail-words.ts';

const EVERY_MS = 10_000;

const statuses = [
  { value: '', label: 'All' },
  { value: 'waiting', label: 'Waiting' },
  { value: 'sent', label: 'Sent' },
  { value: 'failed', label: 'Given up' },
];

export function MailQueue() {
  const may = useMay();
  const [status, setStatus] = useState('');
  const found = useQuery({ ...mails(status), refetchInterval: EVERY_MS });
  return (
    <Section title="Mail" about="The latest mails of the last 30 days. Their text is not shown." flush>
      <Group gap="xs" px="lg" pb="md" align="flex-end">
        <NativeSelect
          size="xs"
          label="Mails"
          data={statuses}
          value={status}
          onChange={(event) => setStatus(event.currentTarget.value)}
        />
        {may('manage') && found.data?.is_on && <TestMail />}
      </Group>
      <Loaded query={found}>
        {({ is_on, mails: rows }) => (
          <>
            {!is_on && (
              <Text size="sm" px="lg" pb="md">
                SMTP_URL is not set for this process, so no mail is sent; links are passed on by hand.
              </Text>
            )}
            {rows.length === 0 ? (
              <Empty icon={IconMail} title={status === '' ? 'No mails' : 'No such mails'} />
            ) : (
              <DataTable label="Mails" columns={columns} rows={rows} rowKey={({ id }) => id} />
            )}
          </>
        )}
      </Loaded>
    </Section>
  );
}

function TestMail() {
  const test = useAction('mail test', systemKey);
  return (
    <Form
      onSubmit={(typed) => {
        test.mutate({ address: String(typed.get('address')) });
      }}
    >
      <Stack gap="xs">
        <Group gap="xs" align="flex-end">
          <TextInput name="address" type="email" size="xs" label="Send a test mail to" required />
          <Button type="submit" size="xs" variant="default" loading={test.isPending}>
            Send
          </Button>
        </Group>
        <Problem error={test.error} />
        {test.isSuccess && <Done key={test.submittedAt}>Queued. The list will show the result.</Done>}
      </Stack>
    </Form>
  );
}

const states: Readonly<Record<Mail['status'], { label: string; color: string }>> = {
  waiting: { label: 'Waiting', color: 'yellow' },
  sent: { label: 'Sent', color: 'teal' },
  failed: { label: 'Given up', color: 'red' },
};

const columns: readonly Column<Mail>[] = [
  { label: 'To', cell: ({ to }) => <span style={{ overflowWrap: 'anywhere' }}>{to}</span> },
  { label: 'Kind', cell: ({ kind }) => mailName(kind) },
  { label: 'Status', cell: ({ status }) => <Badge color={states[status].color}>{states[status].label}</Badge> },
  { label: 'Attempts', kind: 'figure', card: 'fact', cell: ({ attempts }) => <span className="num">{attempts}</span> },
  { label: 'Queued', cell: ({ created_at }) => <When at={created_at} /> },
  { label: 'Sent', cell: ({ sent_at }) => (sent_at === null ? '–' : <When at={sent_at} />) },
  { label: 'Problem', cell: ({ error }) => error || '–' },
];
