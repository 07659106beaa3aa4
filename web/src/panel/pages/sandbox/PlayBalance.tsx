import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Choice } from '../../../parts/Choice.tsx';
import { Done } from '../../../parts/Done.tsx';
import { Form } from '../../../parts/Form.tsx';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Money } from '../../../parts/Money.tsx';
import { Problem } from '../../../parts/Problem.tsx';
import { Section } from '../../../parts/Section.tsx';
import { useChange } from '../../../parts/server/useChange.ts';
import { history } from '../../api/money.ts';
import { type BalanceOperation, changeBalance } from '../../api/sandbox.ts';
import { useMay } from '../../useMay.ts';

const operations: readonly { value: BalanceOperation; label: string }[] = [
  { value: 'add', label: 'Add' },
  { value: 'subtract', label: 'Subtract' },
  { value: 'set', label: 'Set to' },
];

export function PlayBalance() {
  const seesMoney = useMay()('see-money');
  const balance = useQuery({ ...history('sandbox', 1, 1), enabled: seesMoney });
  const [operation, setOperation] = useState<BalanceOperation>('add');
  const change = useChange(changeBalance, ['sandbox']);
  return (
    <Section
      title="Test balance"
      about="Pays for sandbox purchases. It starts at $1,000 and can be at most $1,000,000."
    >
      <Stack>
        {seesMoney && (
          <Loaded query={balance} lines={1}>
            {({ balances }) => (
              <Text fz="xl" fw={600}>
                <Money amount={balances.balance} />
              </Text>
            )}
          </Loaded>
        )}
        <Form
          onSubmit={(typed) => {
            change.mutate({ operation, amount: String(typed.get('amount')) });
          }}
        >
          <Stack gap="sm">
            <Choice label="Operation" options={operations} value={operation} onChange={setOperation} />
            <Group align="flex-end" gap="xs">
              <TextInput
                name="amount"
                label="Amount (USD)"
                inputMode="decimal"
                placeholder="250.00"
                required
                flex={1}
              />
              <Button type="submit" loading={change.isPending}>
                Change balance
              </Button>
            </Group>
          </Stack>
        </Form>
        {change.data && (
          <Done>
            Balance changed from <Money amount={change.data.previous_balance} /> to{' '}
            <Money amount={change.data.balance} />.
          </Done>
        )}
        <Problem error={change.error} />
      </Stack>
    </Section>
  );
}
