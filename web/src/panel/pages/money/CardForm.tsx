import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useSearchParams } from 'react-router';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Money } from '../../../parts/Money.tsx';
import { Door } from '../../../subjects/sign-in/Door.tsx';
import { type ResumedTopup, resumedTopUp } from '../../api/topups.ts';
import { paths } from '../../paths.ts';
import { CardFields } from './CardFields.tsx';

/** Where a card is entered: a page of its own, outside the panel's frame, because its content policy lets Stripe in. */
export function CardForm() {
  const [search] = useSearchParams();
  const paymentKey = search.get('payment') ?? '';
  useOwnDocument(paymentKey);
  const read = useQuery(resumedTopUp(paymentKey));
  return (
    <Door title="Wallet top-up">
      <Loaded query={read} lines={5}>
        {(payment) => (
          <>
            <Text fz="xxl" fw={600} lh={1.2}>
              <Money amount={payment.amount} />
            </Text>
            <Step paymentKey={paymentKey} payment={payment} onPaid={() => read.refetch()} />
          </>
        )}
      </Loaded>
      <Anchor href={`${paths.money('live')}?payment=${encodeURIComponent(paymentKey)}`} size="sm">
        Back to the panel
      </Anchor>
    </Door>
  );
}

interface StepProps {
  paymentKey: string;
  payment: ResumedTopup;
  onPaid: () => Promise<unknown>;
}

const said: Record<Exclude<ResumedTopup['state'], 'open' | 'not_found'>, string> = {
  succeeded: 'Paid. Your wallet was credited.',
  processing: 'Stripe is still processing this payment. Your wallet is credited as soon as it has gone through.',
  failed: 'This payment was declined or cancelled. Your wallet was not credited. Open a new one in the panel.',
  expired: 'This payment was not made within 24 hours and is closed. Nothing was charged.',
  unanswered: 'Stripe does not answer right now. Nothing was charged; we keep trying.',
  off: 'This payment can’t be made any more: the operator has changed the card provider.',
};

function Step({ paymentKey, payment, onPaid }: StepProps) {
  const { state, client_secret, publishable_key } = payment;
  if (state === 'open' && client_secret !== null && publishable_key !== null)
    return (
      <CardFields
        clientSecret={client_secret}
        publishableKey={publishable_key}
        returnTo={window.location.origin + paths.cardForm(paymentKey)}
        onPaid={onPaid}
      />
    );
  return (
    <Text role="status">
      {state === 'open' || state === 'not_found'
        ? 'Cards can’t be entered here yet. The operator has to set STRIPE_PUBLISHABLE_KEY on the server.'
        : said[state]}
    </Text>
  );
}

/**
 * The content policy belongs to the document, so this page must have been loaded from its own address; after signing in,
 * a member gets here without a page load. Stripe adds its secrets to the address it returns to; they are removed at once.
 */
function useOwnDocument(paymentKey: string): void {
  useEffect(() => {
    const own = paths.cardForm(paymentKey);
    const [loaded] = performance.getEntriesByType('navigation');
    if (loaded && new URL(loaded.name).pathname !== window.location.pathname) window.location.replace(own);
    else if (window.location.pathname + window.location.search !== own) window.history.replaceState(null, '', own);
  }, [paymentKey]);
}
