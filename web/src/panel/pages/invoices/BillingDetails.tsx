import { Alert } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Done } from '../../../parts/Done.tsx';
import { FormDialog } from '../../../parts/FormDialog.tsx';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Section } from '../../../parts/Section.tsx';
import { useChange } from '../../../parts/server/useChange.ts';
import { BillingFacts } from '../../../subjects/invoices/BillingFacts.tsx';
import { BillingInputs } from '../../../subjects/invoices/BillingInputs.tsx';
import { type Billing, missingWords, textsOf, typedTexts } from '../../../subjects/invoices/billing.ts';
import { billingDetails, billingKey, setBillingDetails } from '../../api/invoices.ts';
import { me } from '../../api/session.ts';
import { useMay } from '../../useMay.ts';

/** Whom invoices are made out to. Owners and finance change it. */
export function BillingDetails() {
  const read = useQuery(billingDetails);
  const may = useMay();
  const account = useQuery(me).data;
  return (
    <Section
      title="Billing details"
      about="On every invoice that is issued from now on, in live and in the sandbox. Those already issued stay as they are."
      actions={may('spend') && read.data && <EditBilling of={read.data.billing} />}
    >
      <Loaded query={read} lines={5}>
        {({ billing, missing, is_issued }) => (
          <>
            {missing.length > 0 && is_issued && (
              <Alert
                color="yellow"
                p="sm"
                mb="md"
                title={`Your ${missingWords(missing)} ${missing.length === 1 ? 'is' : 'are'} missing`}
              >
                {missing.includes('legal_name') &&
                  `Invoices are made out to “${account?.partner.name ?? 'your account'}”. `}
                {missing.includes('billing_country') && 'They are taxed as if you were in the seller’s country. '}
                {may('spend') ? 'Add what is missing.' : 'An owner or a member with the role finance can add it.'}
              </Alert>
            )}
            <BillingFacts of={billing} showsTerms={account?.partner.billing_mode === 'postpaid'} />
          </>
        )}
      </Loaded>
    </Section>
  );
}

function EditBilling({ of }: { of: Billing }) {
  const change = useChange(setBillingDetails, billingKey);
  return (
    <>
      <FormDialog
        label="Change"
        aria-label="Change billing details"
        title="Billing details"
        submitLabel="Save billing details"
        change={change}
        onSubmit={(form) => change.mutateAsync(typedTexts(form))}
      >
        <BillingInputs of={textsOf(of)} />
      </FormDialog>
      {change.isSuccess && <Done key={change.submittedAt}>The billing details are saved.</Done>}
    </>
  );
}
