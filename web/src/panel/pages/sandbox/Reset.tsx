import { Stack, Text } from '@mantine/core';
import { ConfirmButton } from '../../../parts/ConfirmButton.tsx';
import { Done } from '../../../parts/Done.tsx';
import { Money } from '../../../parts/Money.tsx';
import { Section } from '../../../parts/Section.tsx';
import { useChange } from '../../../parts/server/useChange.ts';
import { resetSandbox } from '../../api/sandbox.ts';

export function Reset() {
  const reset = useChange(() => resetSandbox(), ['sandbox']);
  return (
    <Section
      title="Start over"
      about="Delete all sandbox orders and their delivery records, and set the test balance back to $1,000."
    >
      <Stack align="flex-start">
        <Text size="sm" c="dimmed">
          Keys, webhooks and the test clock are not affected.
        </Text>
        <ConfirmButton label="Reset sandbox" title="Reset the sandbox?" word="reset" change={reset}>
          This deletes all sandbox orders and their delivery records for everyone in your account. Live data is not
          affected.
        </ConfirmButton>
        {reset.data && (
          <Done>
            {deleted(reset.data.deleted_orders)} The test balance is now <Money amount={reset.data.balance} />.
          </Done>
        )}
      </Stack>
    </Section>
  );
}

function deleted(count: number): string {
  if (count === 0) return 'There were no orders to delete.';
  return count === 1 ? '1 order was deleted.' : `${count} orders were deleted.`;
}
