import './print.css';
import { Button, Group, Stack, Text, Title } from '@mantine/core';
import type { MonthlyStatement } from '../../../../src/entry/site/views/money.ts';
import { Facts } from '../../parts/Facts.tsx';
import { IconDownload } from '../../parts/icons.ts';
import { When } from '../../parts/When.tsx';
import { MonthBook } from './MonthBook.tsx';
import { daysOf } from './months.ts';

/** The address of a file with the lines of these days. */
type FileAt = (file: 'movements' | 'statement', days: ReturnType<typeof daysIn>) => string;

interface SheetProps {
  of: MonthlyStatement;
  /** The page of an order. */
  orderPath: (id: string | number) => string;
  /** Where the lines can be had as files; undefined: not here. */
  fileAt?: FileAt;
}

/** A month of a partner's books, to read and to print. */
export function Sheet({ of, orderPath, fileAt }: SheetProps) {
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
            ['Made (UTC)', <When inUtc key="made" at={of.made_at} />],
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
        <MonthBook key={book.book} orderPath={orderPath} of={book} isRunning={of.is_running} />
      ))}
      {fileAt && <Files of={of} at={fileAt} />}
    </Stack>
  );
}

function Files({ of, at }: { of: MonthlyStatement; at: FileAt }) {
  return (
    <Group gap="xs" className="not-printed">
      {of.books.map(({ book }) => (
        <Button
          key={book}
          component="a"
          href={at(book === 'wallet' ? 'movements' : 'statement', daysIn(of))}
          download
          variant="default"
          leftSection={<IconDownload size={16} />}
        >
          {book === 'wallet' ? 'Wallet as CSV' : 'Invoice account as CSV'}
        </Button>
      ))}
    </Group>
  );
}

const daysIn = ({ from, to }: MonthlyStatement) => ({
  from: from.slice(0, 10),
  to: new Date(Date.parse(to) - 1).toISOString().slice(0, 10),
});
