import { Alert, Checkbox, Stack, Text } from '@mantine/core';
import { count } from '../../../parts/count.ts';
import { Done } from '../../../parts/Done.tsx';
import { IconAlertTriangle } from '../../../parts/icons.ts';
import type { ImportCounts } from '../../api/catalog.ts';
import { ImportReport, reportSentence } from './ImportReport.tsx';

/** The result of an import: what it did or would do, or what was wrong with the list. */
type ImportResult =
  | (ImportCounts & { readonly needs_yes?: boolean })
  | { readonly ok: false; readonly message: string; readonly problems: readonly Wrong[] };
interface Wrong {
  readonly line: number;
  readonly column?: number | undefined;
  readonly reason: string;
}

const SHOWN = 20;

/** Whether the import has to be confirmed, because it would take many plans off sale. */
export const needsYes = (result: ImportResult): result is ImportCounts & { readonly needs_yes: true } =>
  'needs_yes' in result && result.needs_yes === true;

/** Asks for that confirmation, with the number. */
export function ConfirmOffSale({
  of: result,
  checked,
  onChange,
}: {
  of: ImportResult;
  checked: boolean;
  onChange: (checked: boolean) => void;
}) {
  if (!needsYes(result)) return null;
  const { leave_sale, on_sale_before, supplier } = result;
  return (
    <Alert
      color="yellow"
      role="alert"
      icon={<IconAlertTriangle size={18} />}
      title={`This takes ${leave_sale.toLocaleString('en-US')} of ${count(on_sale_before, 'plan')} off sale`}
      p="sm"
    >
      <Stack gap="xs">
        <Text size="sm">
          That is more than a fifth of what {supplier} has on sale. Check that the list is complete and is that of{' '}
          {supplier}.
        </Text>
        <Checkbox
          checked={checked}
          onChange={(event) => onChange(event.currentTarget.checked)}
          label={`Take ${count(leave_sale, 'plan')} off sale`}
        />
      </Stack>
    </Alert>
  );
}

/** `unit`: what the number of a problem counts, e.g. lines. */
export function ImportOutcome({
  of: result,
  done = false,
  unit = 'Line',
}: {
  of: ImportResult;
  done?: boolean;
  unit?: 'Line' | 'Row';
}) {
  if ('ok' in result) return <Rejected of={result} unit={unit} />;
  return (
    <Stack>
      {done ? <Done>{reportSentence(result, true)}</Done> : <Text size="sm">{reportSentence(result, false)}</Text>}
      <ImportReport of={result} />
    </Stack>
  );
}

function Rejected({ of: { message, problems }, unit }: { of: Extract<ImportResult, { ok: false }>; unit: string }) {
  // There may be more than the server sends.
  const all = Number(/: (\d+) problem/.exec(message)?.[1] ?? problems.length);
  const more = all - Math.min(SHOWN, problems.length);
  return (
    <Alert
      color="red"
      role="alert"
      icon={<IconAlertTriangle size={18} />}
      title="The list was rejected. Nothing was imported"
      p="sm"
    >
      {problems.slice(0, SHOWN).map(({ line, column, reason }) => (
        <Text key={`${line} ${column} ${reason}`} size="sm" style={{ overflowWrap: 'anywhere' }}>
          {unit} {line.toLocaleString('en-US')}
          {column !== undefined && `, column ${column.toLocaleString('en-US')}`}: {reason}
        </Text>
      ))}
      {more > 0 && (
        <Text size="sm" mt="xs">
          And {more.toLocaleString('en-US')} more.
        </Text>
      )}
    </Alert>
  );
}
