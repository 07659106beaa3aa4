import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Done } from '../../../parts/Done.tsx';
import { Form } from '../../../parts/Form.tsx';
import { Problem } from '../../../parts/Problem.tsx';
import { Section } from '../../../parts/Section.tsx';
import { useChange } from '../../../parts/server/useChange.ts';
import { me, setBalanceAlert } from '../../api/session.ts';

/** The level below which account.balance_low is sent. */
export function BalanceAlert() {
  const level = useQuery(me).data?.partner.balance_alert;
  const change = useChange(setBalanceAlert, ['me']);
  if (level === undefined) return null;
  return (
    <Section
      title="Balance alert"
      about="When less than this can be spent, we send account.balance_low to webhooks that name it and, if mail is set up, a mail about the live balance to your team. The sandbox uses the same level."
    >
      <Form
        onSubmit={(typed) => {
          change.mutate(String(typed.get('level')));
        }}
      >
        <Stack maw={360}>
          <TextInput
            key={level}
            name="level"
            label="Level in USD"
            description="Leave it empty for no alert."
            inputMode="decimal"
            placeholder="50.00"
            defaultValue={level ?? ''}
            autoComplete="off"
          />
          <Problem error={change.error} />
          {change.isSuccess && <Done>{change.data.balance_alert ? 'The level is saved.' : 'The alert is off.'}</Done>}
          <Group>
            <Button type="submit" loading={change.isPending}>
              Save level
            </Button>
          </Group>
        </Stack>
      </Form>
    </Section>
  );
}
