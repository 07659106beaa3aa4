import { Anchor, Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { IconDownload } from '../../../parts/icons.ts';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Page } from '../../../parts/Page.tsx';
import { Refusal } from '../../../parts/server/client.ts';
import { FileButtons } from '../../../subjects/invoices/FileButtons.tsx';
import { InvoiceSheet } from '../../../subjects/invoices/InvoiceSheet.tsx';
import { kindName } from '../../../subjects/invoices/invoices.ts';
import { monthName } from '../../../subjects/money/months.ts';
import { Allowed } from '../../Allowed.tsx';
import { invoice, invoiceAddress, linesFile } from '../../api/invoices.ts';
import { paths } from '../../paths.ts';
import { useMay } from '../../useMay.ts';
import { useMode } from '../../useMode.ts';

/** One invoice or credit note, with its files. */
export function InvoicePage() {
  const { number = '' } = useParams();
  const { mode } = useMode();
  const may = useMay()('see-money');
  const read = useQuery({ ...invoice(mode, number), enabled: may });
  const back = { to: paths.invoices(mode), label: 'Invoices' };
  if (read.error instanceof Refusal && read.error.code === 'not_found')
    return (
      <Page title="Invoice not found" back={back}>
        <Text size="sm">There is no invoice with this number in this account.</Text>
      </Page>
    );
  const of = read.data?.invoice;
  return (
    <Page
      title={`${of ? kindName[of.kind] : 'Invoice'} ${number}`}
      back={back}
      actions={
        of && (
          <>
            <FileButtons at={invoiceAddress(mode, number)} />
            <Button
              component="a"
              href={linesFile(mode, of.month)}
              download
              variant="default"
              leftSection={<IconDownload size={16} />}
            >
              Lines of {monthName(of.month)} as CSV
            </Button>
          </>
        )
      }
    >
      <Allowed to="see-money" cannot="see invoices">
        <Loaded query={read} lines={8}>
          {({ invoice: document }) => (
            <InvoiceSheet
              of={document}
              credited={
                document.credits && (
                  <Anchor component={Link} to={paths.invoice(mode, document.credits)} size="sm" className="target mono">
                    {document.credits}
                  </Anchor>
                )
              }
            />
          )}
        </Loaded>
      </Allowed>
    </Page>
  );
}
