import { type BillingDetails, readBillingDetails, setBillingDetails } from '../../domains/billing/invoices/invoices.ts';
import { requireOpenPartner } from '../../domains/partners/accounts/accounts.ts';
import { amend } from '../../platform/audit/audit-log.ts';
import type { Actor } from '../actor.ts';

export const shownBillingDetails = ({ legalName, address, country, vatId, email, netDays }: BillingDetails) => ({
  legal_name: legalName,
  billing_address: address,
  billing_country: country,
  vat_id: vatId,
  billing_email: email,
  net_days: netDays,
});

/** Whom a partner's invoices are made out to, given by its members. When they are due is the operator's to say. */
export const setOwnBillingDetails = (
  actor: Actor,
  partnerId: number,
  details: Omit<BillingDetails, 'netDays'>,
): Promise<ReturnType<typeof shownBillingDetails>> =>
  amend(
    actor,
    'partner set',
    `partner ${partnerId}`,
    async (tx) => shownBillingDetails(await readBillingDetails(tx, partnerId)),
    async (tx) => {
      await requireOpenPartner(tx, partnerId);
      await setBillingDetails(tx, partnerId, details);
    },
  );
