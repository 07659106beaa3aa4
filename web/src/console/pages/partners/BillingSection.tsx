import { Alert, Anchor, Group, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { Done } from '../../../parts/Done.tsx';
import { FormDialog } from '../../../parts/FormDialog.tsx';
import { Section } from '../../../parts/Section.tsx';
import { BillingFacts } from '../../../subjects/invoices/BillingFacts.tsx';
import { BillingInputs } from '../../../subjects/invoices/BillingInputs.tsx';
import { missingWords, textsOf, typedTexts } from '../../../subjects/invoices/billing.ts';
import { useAction } from '../../api/actions.ts';
import { allInvoices } from '../../api/invoices.ts';
import { allPartners, type Partner } from '../../api/partners.ts';
import { paths } from '../../paths.ts';
import { useMay } from '../../useMay.ts';
import { billingInput } from './inputs.ts';

/** Whom the partner's invoices are made out to, and when they are due. */
export function BillingSection({ of }: { of: Partner }) {
  const may = useMay();
  const { billing_missing: missing } = of;
  return (
    <Section
      title="Billing details"
      about="On invoices that are issued from now on. Owners and finance of the partner can change them, too."
      actions={
        <Group gap="xs">
          <Anchor component={Link} to={`${paths.invoices}?partner=${of.id}`} size="sm" className="target">
            Invoices
          </Anchor>
          {may('money') && of.status !== 'closed' && (
            <>
              <IssueInvoice of={of} />
              <EditBilling of={of} />
            </>
          )}
        </Group>
      }
    >
      {missing.length > 0 && (
        <Alert color="yellow" p="sm" mb="md">
          The {missingWords(missing)} {missing.length === 1 ? 'is' : 'are'} missing.
          {missing.includes('legal_name') && ` Invoices are made out to “${of.name}”.`}
          {missing.includes('billing_country') && ' They are taxed as if the partner were in your country.'}
        </Alert>
      )}
      <BillingFacts of={of.billing} showsTerms />
    </Section>
  );
}

/** The job issues months by itself; this is for one that was voided, or that was over before invoices were set up. */
function IssueInvoice({ of }: { of: Partner }) {
  const issue = useAction('invoice issue', allInvoices);
  return (
    <>
      <FormDialog
        label="Issue a month"
        title={`Issue an invoice to ${of.name}`}
        submitLabel="Issue invoice"
        change={issue}
        onSubmit={(form) => issue.mutateAsync({ partner: String(of.id), month: String(form.get('month')).trim() })}
      >
        <TextInput
          name="month"
          label="Month"
          description="A calendar month in UTC that is over, such as 2026-11. Months are issued by themselves on the 1st; this is for one whose invoice was voided."
          placeholder="2026-11"
          autoComplete="off"
          required
          data-autofocus
        />
      </FormDialog>
      {issue.isSuccess && <Done key={issue.submittedAt}>Issued: {issue.data.numbers.join(', ')}.</Done>}
    </>
  );
}

const netDays = ['7', '14', '30', '60'].map((value) => ({ value, label: `${value} days` }));

function EditBilling({ of }: { of: Partner }) {
  const set = useAction('partner set', allPartners);
  const [began, setBegan] = useState(of.billing);
  return (
    <FormDialog
      label="Change details"
      title={`Billing details of ${of.name}`}
      submitLabel="Save details"
      change={set}
      onOpen={() => setBegan(of.billing)}
      onSubmit={async (form) => {
        const input = billingInput(began, typedTexts(form), String(form.get('net_days')));
        if (Object.keys(input).length > 0) await set.mutateAsync({ id: String(of.id), ...input });
      }}
    >
      <BillingInputs of={textsOf(began)} />
      <NativeSelect
        name="net_days"
        label="Invoices on credit terms are due after"
        data={netDays}
        defaultValue={String(began.net_days)}
      />
    </FormDialog>
  );
}
