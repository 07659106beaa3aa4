import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconDownload, IconPrinter } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { type MonthlyStatement, monthlyStatement } from '../../api/statements.ts';
import { Allowed } from '../../components/Allowed.tsx';
import { Facts } from '../../components/Facts.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { Missing } from '../../components/Missing.tsx';
import { Page } from '../../components/Page.tsx';
import { When } from '../../components/When.tsx';
import { paths } from '../../paths.ts';
import { useMode } from '../../useMode.ts';
import { MonthBook } from './MonthBook.tsx';
import { daysOf, isMonth, monthName } from './months.ts';
import './print.css';

/** What one month did to the account's money: a page to read, and a sheet of paper to print. */
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
          {(statement) => <Sheet of={statement} mode={mode} />}
        </Loaded>
      </Allowed>
    </Page>
  );
}

function Sheet({ of, mode }: { of: MonthlyStatement; mode: 'live' | 'sandbox' }) {
  return (
    <Stack gap="lg">
      <div>
        <Title order={2} mb="xs">
          {of.partner.name}
        </Title>
        <Facts
          facts={[
            ['Account', of.partner.id],
            ['Period (UTC)', daysOf(of)],
            ['Made (UTC)', <When key="made" at={of.made_at} />],
            ['Amounts in', 'US dollars'],
          ]}
        />
        {of.is_running && (
          <Text size="sm" mt="xs">
            This month isn’t over: the statement shows what has moved so far.
          </Text>
        )}
      </div>
      {of.books.map((book) => (
        <MonthBook key={book.book} mode={mode} of={book} isRunning={of.is_running} />
      ))}
      <Group gap="xs" className="not-printed">
        {of.books.map(({ book }) => (
          <Button
            key={book}
            component="a"
            href={`/api/${mode}/${book === 'wallet' ? 'movements' : 'statement'}.csv?${daysQuery(of)}`}
            download
            variant="default"
            leftSection={<IconDownload size={16} />}
          >
            {book === 'wallet' ? 'Wallet as CSV' : 'Invoice account as CSV'}
          </Button>
        ))}
      </Group>
    </Stack>
  );
}

const daysQuery = ({ from, to }: MonthlyStatement): string =>
  new URLSearchParams({
    from: from.slice(0, 10),
    to: new Date(Date.parse(to) - 1).toISOString().slice(0, 10),
  }).toString();
