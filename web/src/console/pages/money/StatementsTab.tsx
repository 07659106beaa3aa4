import { Anchor, Badge, Button, Group, Text, TextInput } from '@mantine/core';
import { IconFileText } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Empty } from '../../../components/Empty.tsx';
import { Loaded } from '../../../components/Loaded.tsx';
import { Section } from '../../../components/Section.tsx';
import classes from '../../../pages/money/MonthsTab.module.css';
import { monthName } from '../../../pages/money/months.ts';
import { useFilters } from '../../../useFilters.ts';
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
      <form
        onSubmit={(event) => {
          event.preventDefault();
          filter({ partner: String(new FormData(event.currentTarget).get('partner')).trim() });
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
      </form>
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
          {months.length === 0 ? (
            <Empty icon={IconFileText} title="No statements yet">
              There is one for each month, from the first movement on.
            </Empty>
          ) : (
            <ul className={classes.months}>
              {months.map((month, i) => (
                <li key={month}>
                  <Group justify="space-between" gap="xs">
                    <Anchor component={Link} to={paths.statement(id, month)} className={classes.month}>
                      {monthName(month)}
                    </Anchor>
                    {i === 0 && <Badge color="gray">So far</Badge>}
                  </Group>
                </li>
              ))}
            </ul>
          )}
        </>
      )}
    </Loaded>
  );
}
