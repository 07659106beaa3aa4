import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Page } from '../../../parts/Page.tsx';
import { Refusal } from '../../../parts/server/client.ts';
import { FileButtons } from '../../../subjects/invoices/FileButtons.tsx';
import { InvoiceSheet } from '../../../subjects/invoices/InvoiceSheet.tsx';
import { kindName } from '../../../subjects/invoices/invoices.ts';
import { invoice, invoiceAddress } from '../../api/invoices.ts';
import { paths } from '../../paths.ts';
import { useWorld } from '../../useWorld.ts';
import { InvoiceActions } from './InvoiceActions.tsx';

const EVERY_MS = 15_000;

/** One document of a partner, with what can be done about it. */
export function InvoicePage() {
  const { number = '' } = useParams();
  const mode = useWorld();
  const read = useQuery({ ...invoice(mode, number), refetchInterval: EVERY_MS });
  const back = { to: paths.invoices, label: 'Invoices' };
  if (read.error instanceof Refusal && read.error.code === 'not_found')
    return (
      <Page title="Invoice not found" back={back}>
        <Text size="sm">There is no invoice with this number.</Text>
      </Page>
    );
  const { data } = read;
  return (
    <Page
      title={`${data ? kindName[data.invoice.kind] : 'Invoice'} ${number}`}
      about={
        data && (
          <>
            {mode === 'sandbox' && 'Play money of '}
            <Anchor component={Link} to={paths.partner(data.partner.id)} size="sm" className="target">
              {data.partner.name}
            </Anchor>
          </>
        )
      }
      back={back}
      actions={data && <FileButtons at={invoiceAddress(mode, number)} />}
    >
      <Loaded query={read} lines={8}>
        {(found) => (
          <>
            <InvoiceActions key={number} of={found} mode={mode} />
            <InvoiceSheet
              of={found.invoice}
              credited={
                found.invoice.credits && (
                  <Anchor
                    component={Link}
                    to={paths.invoice(found.invoice.credits, mode)}
                    size="sm"
                    className="target mono"
                  >
                    {found.invoice.credits}
                  </Anchor>
                )
              }
            />
          </>
        )}
      </Loaded>
    </Page>
  );
}
