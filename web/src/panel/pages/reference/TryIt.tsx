import { Alert, Badge, Button, Group, NativeSelect, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Entry, FormField } from '../../../../../src/entry/public/reference/description.ts';
import { Choice } from '../../../parts/Choice.tsx';
import { CodeBlock } from '../../../parts/Copy.tsx';
import { Form } from '../../../parts/Form.tsx';
import { Problem } from '../../../parts/Problem.tsx';
import { type AnswerOf, post } from '../../../parts/server/calls.ts';
import type { Change } from '../../../parts/server/client.ts';
import { useChange } from '../../../parts/server/useChange.ts';

/** The key that was pasted. It stays in the memory of this tab: it is never stored, and gone after a reload. */
let pasted: string | undefined;

type As = 'session' | 'key';

interface TryItProps {
  entry: Entry;
  fields: readonly FormField[];
  values: Readonly<Record<string, string>>;
  /** Of the account; '' if none can be read. */
  ownKey: string;
  onChange: (name: string, value: string) => void;
}

/** A form that sends one call to the sandbox. */
export function TryIt({ entry, fields, values, ownKey, onChange }: TryItProps) {
  const isRead = entry.verb === 'GET';
  const [as, setAs] = useState<As>(isRead ? 'session' : 'key');
  const [typed, setTyped] = useState(pasted);
  const key = typed ?? ownKey;
  const attempt = useChange(() => send(entry, fields, values, as === 'key' ? key.trim() : undefined));
  return (
    <Form onSubmit={() => attempt.mutate()}>
      <Stack gap="sm">
        {isRead && (
          <Choice
            label="Who asks"
            value={as}
            onChange={setAs}
            options={[
              { value: 'session', label: 'As yourself' },
              { value: 'key', label: 'With a sandbox key' },
            ]}
          />
        )}
        {as === 'key' && (
          <PasswordInput
            label="Sandbox key"
            description={
              typed === undefined && ownKey !== ''
                ? 'Your account’s. You can paste another one.'
                : 'Stays in this tab and is never stored. A reload forgets it.'
            }
            placeholder="esk_test_…"
            autoComplete="off"
            required
            pattern="\s*esk_test_[0-9a-f]{40}\s*"
            title="A sandbox key: esk_test_ and 40 characters"
            value={key}
            onChange={({ currentTarget }) => {
              pasted = currentTarget.value;
              setTyped(pasted);
            }}
          />
        )}
        {fields
          .filter(({ name }) => as === 'key' || name !== 'sandbox_error')
          .map((field) => (
            <Input
              key={field.name}
              field={field}
              value={values[field.name] ?? ''}
              onChange={(value) => onChange(field.name, value)}
            />
          ))}
        <Group justify="space-between">
          <Text size="sm" c="dimmed">
            {isRead ? 'Goes to the sandbox.' : 'Goes to the sandbox: no money moves.'}
          </Text>
          <Button type="submit" loading={attempt.isPending}>
            Send
          </Button>
        </Group>
        {attempt.error && <Problem error={attempt.error} />}
        {attempt.data && <Result tried={attempt.data} />}
      </Stack>
    </Form>
  );
}

function Input({ field, value, onChange }: { field: FormField; value: string; onChange: (value: string) => void }) {
  const { name, schema, required } = field;
  const label = <span className="mono">{name}</span>;
  if (schema.enum)
    return (
      <NativeSelect
        label={label}
        withAsterisk={required}
        value={value}
        data={[{ value: '', label: 'not sent' }, ...schema.enum.map(String).filter((one) => one !== '')]}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    );
  const [example] = schema.examples ?? [];
  return (
    <TextInput
      label={label}
      withAsterisk={required}
      value={value}
      placeholder={example === undefined ? '' : String(example)}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

const asideFromStatus = ['x-request-id', 'x-ratelimit-remaining', 'retry-after', 'etag'];

type Tried = AnswerOf<'POST /api/sandbox/try'>;

function Result({ tried }: { tried: Tried }) {
  const headers = asideFromStatus.flatMap((name) => (tried.headers[name] ? [`${name}: ${tried.headers[name]}`] : []));
  return (
    <Stack gap="xs" role="status">
      <Group gap="xs">
        <Badge color={tried.status < 400 ? 'teal' : 'red'} variant="light">
          {tried.status}
        </Badge>
        <Text size="sm" c="dimmed">
          {tried.ms} ms
        </Text>
      </Group>
      {headers.length > 0 && (
        <Text size="xs" c="dimmed" className="mono" style={{ overflowWrap: 'anywhere' }}>
          {headers.join(' · ')}
        </Text>
      )}
      {tried.is_cut && <Alert color="gray">The answer is long. This is its beginning.</Alert>}
      <CodeBlock text={pretty(tried.body)} what="the answer" />
    </Stack>
  );
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function send(
  entry: Entry,
  fields: readonly FormField[],
  values: Readonly<Record<string, string>>,
  key: string | undefined,
): Change<Tried> {
  const path = entry.path.replace(/\/\{.*/, '');
  const param = values[fields.find(({ place }) => place === 'path')?.name ?? ''] ?? '';
  const sent = Object.fromEntries(
    fields
      .filter(({ name, place }) => place !== 'path' && (values[name] ?? '') !== '')
      .map(({ name }) => [name, values[name] ?? '']),
  );
  if (key !== undefined) return post('/api/sandbox/try', { key, path, param, fields: sent });
  const { sandbox_error: _, ...query } = sent;
  const below = param === '' ? path : `${path}/${encodeURIComponent(param)}`;
  return async () => {
    const began = performance.now();
    const answer = await fetch(`/api/sandbox/v3${below}?${new URLSearchParams(query)}`);
    const body = await answer.text();
    return {
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      body: body.slice(0, 128 * 1024),
      is_cut: body.length > 128 * 1024,
      ms: Math.round(performance.now() - began),
    };
  };
}
