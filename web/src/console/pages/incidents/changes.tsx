import { Checkbox, Group, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { FormDialog } from '../../../parts/FormDialog.tsx';
import { type ActionInput, useAction } from '../../api/actions.ts';
import { type Incident, incidentsKey, type PartName } from '../../api/incidents.ts';
import { impactNames, partNames, statusNames } from './words.ts';

const MOST_CHARACTERS = 1_000;
const { resolved: _, ...openStatuses } = statusNames;
const choices = (names: Readonly<Record<string, string>>) =>
  Object.entries(names).map(([value, label]) => ({ value, label }));

const Said = () => (
  <Textarea
    name="text"
    label="What everybody reads"
    description="What is happening, who is affected, and when you will write again"
    maxLength={MOST_CHARACTERS}
    autosize
    minRows={3}
    required
  />
);
const HowFar = ({ value = 'investigating' }: { value?: string }) => (
  <NativeSelect name="status" label="Status" data={choices(openStatuses)} defaultValue={value} />
);
const given = (form: FormData, name: string): string => String(form.get(name) ?? '').trim();
type Written = ActionInput<'incident write'>;
type Update = ActionInput<'incident update'>;

export function WriteIncident() {
  const write = useAction('incident write', incidentsKey);
  const [parts, setParts] = useState<string[]>(['api']);
  return (
    <FormDialog
      label="Write an incident"
      title="Write an incident"
      submitLabel="Publish"
      variant="filled"
      change={write}
      isReady={parts.length > 0}
      onOpen={() => setParts(['api'])}
      onSubmit={(form) =>
        write.mutateAsync({
          title: given(form, 'title'),
          text: given(form, 'text'),
          impact: given(form, 'impact') as Written['impact'],
          status: given(form, 'status') as Written['status'],
          parts: parts.join(','),
        })
      }
    >
      <TextInput name="title" label="Title" description="What happened, in a few words" maxLength={120} required />
      <NativeSelect name="impact" label="Impact" data={choices(impactNames)} defaultValue="minor" />
      <Checkbox.Group label="What it concerns" value={parts} onChange={setParts}>
        <Group mt="xs">
          {(Object.keys(partNames) as PartName[]).map((part) => (
            <Checkbox key={part} value={part} label={partNames[part]} />
          ))}
        </Group>
      </Checkbox.Group>
      <HowFar />
      <Said />
    </FormDialog>
  );
}

export function UpdateIncident({ incident: { incident_id, title, version, status } }: { incident: Incident }) {
  const update = useAction('incident update', incidentsKey);
  const isOver = status === 'resolved';
  return (
    <FormDialog
      label={isOver ? 'Open again' : 'Update'}
      title={`${isOver ? 'Open again' : 'Update'}: ${title}`}
      submitLabel="Publish"
      change={update}
      onSubmit={(form) =>
        update.mutateAsync({
          id: String(incident_id),
          version,
          text: given(form, 'text'),
          status: given(form, 'status') as Update['status'],
        })
      }
    >
      <HowFar value={isOver ? 'investigating' : status} />
      <Said />
    </FormDialog>
  );
}

export function ResolveIncident({ incident: { incident_id, title, version } }: { incident: Incident }) {
  const resolve = useAction('incident resolve', incidentsKey);
  return (
    <FormDialog
      label="Resolve"
      title={`Resolve: ${title}`}
      submitLabel="Publish as resolved"
      change={resolve}
      onSubmit={(form) => resolve.mutateAsync({ id: String(incident_id), version, text: given(form, 'text') })}
    >
      <Said />
    </FormDialog>
  );
}
