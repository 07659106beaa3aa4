import { Stack } from '@mantine/core';
import { Proofs } from './Proofs.tsx';
import { TrialBalance } from './TrialBalance.tsx';

/** Whether the books add up: now, account by account, and as proved row by row. */
export function LedgerTab() {
  return (
    <Stack gap="lg">
      <Proofs />
      <TrialBalance />
    </Stack>
  );
}
