import { Alert, Stack, Text } from '@mantine/core';
import { Done } from '../../../parts/Done.tsx';
import { IconAlertTriangle } from '../../../parts/icons.ts';
import type { ImportCounts } from '../../api/catalog.ts';
import { ImportReport, reportSentence } from './ImportReport.tsx';

/** What an import answers: what it did or would do, or what was wrong with the list. */
export type ImportResult =
  | ImportCounts
  | { readonly ok: false; readonly message: string; readonly problems: readonly Wrong[] };
interface Wrong {
  readonly line: number;
  readonly column?: number | undefined;
  readonly reason: string;
}

const SHOWN = 20;

/** `unit`: what a complaint's number counts. */
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
