import { Alert, Button, Stack, Text } from '@mantine/core';
import { Done } from '../../../parts/Done.tsx';
import { IconPlugConnectedX } from '../../../parts/icons.ts';
import { dollars } from '../../../parts/Money.tsx';
import { Problem } from '../../../parts/Problem.tsx';
import { useAction } from '../../api/actions.ts';
import { suppliersKey } from '../../api/service.ts';
import { duration } from '../../durations.ts';

interface Tested {
  readonly ok: boolean;
  readonly call: 'balance' | 'look-up';
  readonly ms: number;
  readonly balance: string | null;
  readonly reason: string | null;
}

/** One harmless call to the supplier, made by the process that serves this page. */
export function TestCall({ supplier }: { supplier: string }) {
  const test = useAction('supplier test', suppliersKey);
  return (
    <Stack gap="xs">
      <div>
        <Button size="xs" variant="default" loading={test.isPending} onClick={() => test.mutate({ supplier })}>
          Make a test call
        </Button>
      </div>
      <Problem error={test.error} />
      {test.data?.ok && <Done key={test.submittedAt}>{answered(test.data)}</Done>}
      {test.data && !test.data.ok && (
        <Alert color="red" role="alert" icon={<IconPlugConnectedX size={18} />} p="sm">
          <Text size="sm">
            No usable answer after {duration(test.data.ms)}: {test.data.reason}
          </Text>
        </Alert>
      )}
    </Stack>
  );
}

const answered = ({ ms, balance, call }: Tested): string =>
  call === 'balance' && balance !== null
    ? `Answered in ${duration(ms)}. The balance there is ${dollars(balance)}.`
    : `Answered in ${duration(ms)}.`;
