import { Anchor, Button, Group, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Form } from '../../../parts/Form.tsx';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Section } from '../../../parts/Section.tsx';
import { useFilters } from '../../../parts/useFilters.ts';
import { MonthList } from '../../../subjects/money/MonthList.tsx';
import { statementMonths } from '../../api/money.ts';
import { paths } from '../../paths.ts';

/** A partner's months, as the partner sees them. */
export function StatementsTab() {
  const { of, filter } = useFilters();
  const partner = of('partner') ?? '';
  return (
    <Section
      title="Monthly statements"
      about="Opening balance, everything that moved, closing balance: the same sheet the partner sees in its panel."
    >
      <Form
        onSubmit={(typed) => {
          filter({ partner: String(typed.get('partner')).trim() });
        }}
      >
        <Group gap="xs" align="flex-end" mb="md">
          <TextInput
            key={partner}
            name="partner"
            label="Partner ID"
            inputMode="numeric"
            pattern="\d{1,9}"
            defaultValue={partner}
            required
            withAsterisk={false}
          />
          <Button type="submit" variant="default">
            Show
          </Button>
        </Group>
      </Form>
      {partner === '' ? (
        <Text size="sm" c="dimmed">
          Partners are listed with their IDs on the <Link to={paths.partners}>partners page</Link>.
        </Text>
      ) : (
        <Months partner={partner} />
      )}
    </Section>
  );
}

function Months({ partner }: { partner: string }) {
  const read = useQuery({ ...statementMonths(encodeURIComponent(partner)), retry: false });
  return (
    <Loaded query={read} lines={4}>
      {({ partner: { id, name }, months }) => (
        <>
          <Text fw={600} mb="xs">
            <Anchor component={Link} to={paths.partner(id)}>
              {name}
            </Anchor>
          </Text>
          <MonthList
            months={months}
            pathOf={(month) => paths.statement(id, month)}
            none="There is one for each month since the first movement."
          />
        </>
      )}
    </Loaded>
  );
}
