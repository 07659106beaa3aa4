import { Text } from '@mantine/core';
import type { RequestView } from '../../../../src/entry/panel/insight/requests.ts';
import { Facts } from '../../parts/Facts.tsx';

type Field = RequestView['fields'][number];

const places: Record<Field['in'], string> = {
  path: 'in the path',
  query: 'in the query',
  body: 'in the body',
  header: 'header',
};

/** Why a value is not shown as it was sent. */
const notes: Record<NonNullable<Field['note']>, string> = {
  hidden: 'Hidden, because it is a secret',
  undeclared: 'Ignored: not a field of this endpoint, so its value is not kept',
  misplaced: 'Ignored: sent in the wrong place',
  unreadable: 'Sent more than once, or not plain text',
  shortened: 'Shortened',
};

export function RequestFields({ fields }: { fields: readonly Field[] }) {
  if (fields.length === 0)
    return (
      <Text size="sm" c="dimmed">
        No fields.
      </Text>
    );
  return (
    <Facts
      facts={fields.map((field) => [
        field.name === '…' ? 'More fields' : `${field.name} (${places[field.in]})`,
        <Value key={field.name} of={field} />,
      ])}
    />
  );
}

function Value({ of: { name, value, note } }: { of: Field }) {
  const said = name === '…' && note === 'shortened' ? 'There were more than we keep' : note && notes[note];
  return (
    <>
      <span className="mono">{value}</span>
      {said && (
        <Text size="sm" c="dimmed" component="span">
          {value !== '' && ' '}
          {said}
        </Text>
      )}
      {value === '' && said === null && (
        <Text size="sm" c="dimmed" component="span">
          Empty
        </Text>
      )}
    </>
  );
}
