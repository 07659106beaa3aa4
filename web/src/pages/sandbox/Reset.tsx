import { Stack, Text } from '@mantine/core';
import { useChange } from '../../api/queries.ts';
import { resetSandbox } from '../../api/sandbox.ts';
import { ConfirmButton } from '../../components/ConfirmButton.tsx';
import { Done } from '../../components/Done.tsx';
import { Money } from '../../components/Money.tsx';
import { Section } from '../../components/Section.tsx';

export function Reset() {
  const reset = useChange(() => resetSandbox(), ['sandbox']);
  return (
    <Section
      title="Start over"
      about="Deletes every sandbox order with its delivery records and sets the play balance back to 1,000.00."
    >
      <Stack align="flex-start">
        <Text size="sm" c="dimmed">
          Keys, webhook subscriptions and the test clock stay as they are.
        </Text>
        <ConfirmButton label="Reset sandbox" title="Reset the sandbox?" word="reset" change={reset}>
          All sandbox orders and their delivery records are deleted for everyone in your account. Live data is not
          touched.
        </ConfirmButton>
        {reset.data && (
          <Done>
            {deleted(reset.data.deleted_orders)} The balance is <Money amount={reset.data.balance} />.
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
