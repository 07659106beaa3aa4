import { useQuery } from '@tanstack/react-query';
import { Loaded } from '../../../parts/Loaded.tsx';
import type { Mode } from '../../../parts/mode.ts';
import { Section } from '../../../parts/Section.tsx';
import { MonthList } from '../../../subjects/money/MonthList.tsx';
import { statementMonths } from '../../api/statements.ts';
import { paths } from '../../paths.ts';

/** A statement for each month, to read or to print. */
export function MonthsTab({ mode }: { mode: Mode }) {
  const read = useQuery(statementMonths(mode));
  return (
    <Section
      title="Monthly statements"
      about="Opening balance, everything that moved, closing balance. Ready to print."
      flush
    >
      <Loaded query={read} lines={4}>
        {({ months }) => (
          <MonthList
            months={months}
            pathOf={(month) => paths.statementOf(mode, month)}
            none={
              mode === 'sandbox'
                ? 'There are no monthly statements of play money. Its movements are under History.'
                : 'There is one for each month since your first movement.'
            }
          />
        )}
      </Loaded>
    </Section>
  );
}
