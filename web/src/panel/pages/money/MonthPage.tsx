import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { IconPrinter } from '../../../parts/icons.ts';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Missing } from '../../../parts/Missing.tsx';
import { Page } from '../../../parts/Page.tsx';
import { address } from '../../../parts/server/calls.ts';
import { Sheet } from '../../../subjects/money/MonthSheet.tsx';
import { isMonth, monthName } from '../../../subjects/money/months.ts';
import { Allowed } from '../../Allowed.tsx';
import { monthlyStatement } from '../../api/statements.ts';
import { paths } from '../../paths.ts';
import { useMode } from '../../useMode.ts';

/** One month of the account's money, to read and to print. */
export function MonthPage() {
  const { month = '' } = useParams();
  return isMonth(month) ? <Month month={month} /> : <Missing />;
}

function Month({ month }: { month: string }) {
  const { mode } = useMode();
  const read = useQuery(monthlyStatement(mode, month));
  return (
    <Page
      title={`Statement for ${monthName(month)}`}
      back={{ to: paths.money(mode, 'months'), label: 'Money' }}
      actions={
        <Button
          leftSection={<IconPrinter size={16} />}
          onClick={() => window.print()}
          disabled={!read.data}
          className="not-printed"
        >
          Print
        </Button>
      }
    >
      <Allowed to="see-money" cannot="see money">
        <Loaded query={read} lines={8}>
          {(statement) => (
            <Sheet
              of={statement}
              orderPath={(id) => paths.order(mode, id)}
              fileAt={(file, days) => address(`/api/{mode}/${file}.csv`, { ...days, mode })}
            />
          )}
        </Loaded>
      </Allowed>
    </Page>
  );
}
