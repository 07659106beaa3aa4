import { Badge, Code, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'react-router';
import {
  answersOf,
  type Description,
  ENVELOPE,
  type Entry,
  entriesOf,
  examplesOf,
  FAILED_ENVELOPE,
  type Failure,
  fieldsOf,
  resolved,
} from '../../../../../src/entry/public/reference/description.ts';
import { callOf } from '../../../../../src/entry/public/reference/samples.ts';
import type { Row } from '../../../../../src/entry/public/reference/words.ts';
import { CodeBlock, Copyable } from '../../../parts/Copy.tsx';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Missing } from '../../../parts/Missing.tsx';
import type { Mode } from '../../../parts/mode.ts';
import { Page } from '../../../parts/Page.tsx';
import { Section } from '../../../parts/Section.tsx';
import { Table } from '../../../parts/Table.tsx';
import { sampleKey } from '../../api/keys.ts';
import { me } from '../../api/session.ts';
import { paths } from '../../paths.ts';
import { useMay } from '../../useMay.ts';
import { useMode } from '../../useMode.ts';
import { piece } from './description.ts';
import classes from './Fields.module.css';
import { Field, Fields } from './Fields.tsx';
import { inline, Prose } from './Prose.tsx';
import { Samples } from './Samples.tsx';
import { TryIt } from './TryIt.tsx';

export function EndpointPage() {
  const { id = '' } = useParams();
  const api = useQuery(piece(id));
  if (api.data === null) return <Missing />;
  const [entry] = api.data ? entriesOf(api.data) : [];
  return (
    <Page
      title={entry?.path.replace(/^\//, '') ?? 'API reference'}
      back={{ to: paths.reference, label: 'API reference' }}
    >
      <Loaded query={api} lines={12}>
        {(found) => found && entry && <EntryView key={entry.id} api={found} entry={entry} />}
      </Loaded>
    </Page>
  );
}

function EntryView({ api, entry }: { api: Description; entry: Entry }) {
  const fields = fieldsOf(api, entry);
  const mode = useAddressOf(entry);
  const base = useQuery(me).data?.addresses[mode] ?? '';
  const may = useMay();
  // Another one for each visit: a key that was used before would only return its order again.
  const [once] = useState(() => `try-${Date.now()}`);
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const own = useQuery({ ...sampleKey, enabled: may('develop') && !entry.isEvent }).data;
  const values = { ...examplesOf(api, entry, { planId: own?.plan_id, key: once }), ...typed };
  const key = (mode === 'sandbox' && own?.key) || undefined;
  return (
    <Stack gap="lg">
      <div>
        <Group gap="xs" mb="xs">
          {!entry.isEvent && <Badge variant="default">{entry.verb}</Badge>}
          {entry.isExtension && <Badge variant="light">beyond v3</Badge>}
          {!entry.isEvent && <Copyable value={`${base}${entry.path}`} what="the address" />}
        </Group>
        <Text fw={500} mb="xs">
          {entry.operation.summary}
        </Text>
        <Rows label="Outcomes" rows={api.glance?.outcomes} />
        <Prose text={entry.operation.description} />
        <Rows label="Limits" rows={api.glance?.facts} />
      </div>
      {!entry.isEvent && (
        <>
          {fields.length > 0 && (
            <Section title="Request" about={entry.operation.requestBody?.description.replaceAll('`', '')}>
              <dl className={classes.list}>
                {fields.map(({ name, schema, description: about, required, place }) => (
                  <Field key={`${place} ${name}`} name={name} schema={schema} about={about} required={required} />
                ))}
              </dl>
            </Section>
          )}
          <Section
            title="Sample"
            about={`${key ? keyOf(own?.name) : keyFor[mode]}${may('develop') ? ' The sample follows what you fill in below.' : ''}`}
          >
            <Samples call={{ ...callOf(entry, fields, values, base), key }} />
          </Section>
          {may('develop') && (
            <Section title="Try it" about="Calls the sandbox and shows the answer.">
              <TryIt
                entry={entry}
                fields={fields}
                values={values}
                ownKey={own?.key ?? ''}
                onChange={(name, value) => setTyped((before) => ({ ...before, [name]: value }))}
              />
            </Section>
          )}
        </>
      )}
      {entry.isEvent && <EventBody api={api} entry={entry} />}
      {!entry.isEvent && <Answers api={api} entry={entry} />}
    </Stack>
  );
}

/** Names on the left, as on the public pages of the reference. */
function Rows({ label, rows = [] }: { label: string; rows?: readonly Row[] | undefined }) {
  if (rows.length === 0) return null;
  return (
    <Table label={label} isNarrow>
      <tbody>
        {rows.map(([name, text]) => (
          <tr key={name}>
            <th scope="row" style={{ whiteSpace: 'nowrap' }}>
              {inline(name)}
            </th>
            <td>{inline(text)}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

/** The current world, except for endpoints that only the sandbox has. */
function useAddressOf({ operation }: Entry): Mode {
  const { mode } = useMode();
  return operation.summary.endsWith('(sandbox keys only)') ? 'sandbox' : mode;
}

const keyFor: Record<Mode, string> = {
  sandbox: 'Put a sandbox key in $WAYFARE_KEY.',
  live: 'Put a live key in $WAYFARE_KEY. This is the live address: what you buy there costs money.',
};

const keyOf = (name = ''): string => `It has your sandbox key${name === '' ? '' : ` “${name}”`} in it.`;

function Answers({ api, entry }: { api: Description; entry: Entry }) {
  const { good, schema, examples, failures, everywhere } = answersOf(api, entry);
  return (
    <>
      <Section title="Answer" about={good.map(({ status, said }) => `${status}: ${said}.`).join(' ')}>
        <Stack gap="md">
          {examples.map(({ name, status, summary, value }) => (
            <div key={name}>
              <Text size="sm" c="dimmed" mb={4}>
                {status}: {summary}
              </Text>
              <CodeBlock text={JSON.stringify(value, null, 2)} what="the example" />
            </div>
          ))}
          {schema && <Fields api={api} schema={schema} without={ENVELOPE} />}
        </Stack>
      </Section>
      <Section title="Errors" about="Decide by the code, never by the title.">
        <Stack gap="md">
          <Failures failures={failures} />
          <details>
            <summary className={classes.more}>Errors that every endpoint can answer</summary>
            <Failures failures={everywhere} />
          </details>
        </Stack>
      </Section>
    </>
  );
}

function Failures({ failures }: { failures: readonly Failure[] }) {
  return (
    <dl className={classes.list}>
      {failures.map(({ status, code, meaning, schema }) => {
        const own = Object.keys(schema.properties ?? {}).filter((name) => !FAILED_ENVELOPE.includes(name));
        return (
          <div key={code} className={classes.field}>
            <dt className={classes.name}>
              <span className="mono">{code}</span>
              <span className={classes.kind}>{status}</span>
            </dt>
            <dd className={classes.about}>
              <Prose text={meaning} />
              {own.length > 0 && <span className={classes.kind}>{inline(`With \`${own.join('`, `')}\``)}</span>}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

function EventBody({ api, entry }: { api: Description; entry: Entry }) {
  const content = entry.operation.requestBody?.content['application/json'];
  const [example] = Object.values(content?.examples ?? {});
  return (
    <>
      <Section title="Headers" about="The signature covers the raw body. Verify it before you parse.">
        <dl className={classes.list}>
          {entry.operation.parameters
            .map((one) => resolved(api, one))
            .map(({ name, description: about, schema }) => (
              <Field key={name} name={name} schema={schema} about={about} />
            ))}
        </dl>
      </Section>
      <Section title="Body" about="An example from the sandbox, then every field.">
        <Stack gap="md">
          {example && <CodeBlock text={JSON.stringify(example.value, null, 2)} what="the example" />}
          {content && <Fields api={api} schema={content.schema} />}
        </Stack>
      </Section>
      <Text size="sm" c="dimmed">
        To send yourself one, run <Code>wayfare trigger {entry.path}</Code> with a sandbox key, or use Test on a
        webhook’s page.
      </Text>
    </>
  );
}
