import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { typedSmallIdIn } from '../../../../../src/platform/contract/ids.ts';
import { IconPrinter } from '../../../parts/icons.ts';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Missing } from '../../../parts/Missing.tsx';
import { Page } from '../../../parts/Page.tsx';
import { Sheet } from '../../../subjects/money/MonthSheet.tsx';
import { isMonth, monthName } from '../../../subjects/money/months.ts';
import { statement } from '../../api/money.ts';
import { paths } from '../../paths.ts';

/** One month of a partner's money, as the partner sees it. */
export function StatementPage() {
  const { id = '', month = '' } = useParams();
  return typedSmallIdIn(id) !== undefined && isMonth(month) ? <Statement id={id} month={month} /> : <Missing />;
}

function Statement({ id, month }: { id: string; month: string }) {
  const read = useQuery({ ...statement(id, month), retry: false });
  return (
    <Page
      title={`Statement for ${monthName(month)}`}
      back={{ to: `${paths.money}?tab=statements&partner=${id}`, label: 'Statements' }}
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
      <Loaded query={read} lines={8}>
        {(sheet) => <Sheet of={sheet} orderPath={paths.order} />}
      </Loaded>
    </Page>
  );
}
