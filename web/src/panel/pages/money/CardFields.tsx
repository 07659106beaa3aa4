import { Button, Skeleton, Stack, useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { Form } from '../../../parts/Form.tsx';
import { Problem } from '../../../parts/Problem.tsx';
import { useChange } from '../../../parts/server/useChange.ts';
import { type Elements, loadStripe, type PaymentElement, type Stripe } from './stripe.ts';

interface CardFieldsProps {
  clientSecret: string;
  publishableKey: string;
  /** Where a bank sends the card holder back to. */
  returnTo: string;
  onPaid: () => Promise<unknown>;
}

/** Stripe's payment element. What is typed into it never reaches our page or server. */
export function CardFields({ clientSecret, publishableKey, returnTo, onPaid }: CardFieldsProps) {
  const place = useRef<HTMLDivElement>(null);
  const form = useRef<{ stripe: Stripe; elements: Elements }>(undefined);
  const [isReady, setReady] = useState(false);
  const [problem, setProblem] = useState<Error>();
  const theme = useComputedColorScheme('light') === 'dark' ? 'night' : 'stripe';

  useEffect(() => {
    let element: PaymentElement | undefined;
    let isGone = false;
    loadStripe(publishableKey)
      .then((stripe) => {
        if (isGone || !place.current) return;
        const elements = stripe.elements({ clientSecret, appearance: { theme } });
        form.current = { stripe, elements };
        element = elements.create('payment');
        element.on('ready', () => setReady(true));
        element.on('loaderror', ({ error }) =>
          setProblem(new Error(error?.message ?? 'The card form can’t be loaded.')),
        );
        element.mount(place.current);
      })
      .catch(setProblem);
    return () => {
      isGone = true;
      setReady(false);
      element?.destroy();
    };
  }, [clientSecret, publishableKey, theme]);

  const pay = useChange(() => async () => {
    if (!form.current) return;
    const { stripe, elements } = form.current;
    const confirmParams = { return_url: returnTo };
    const { error } = await stripe.confirmPayment({ elements, confirmParams, redirect: 'if_required' });
    if (error) throw new Error(error.message ?? 'The payment did not go through.');
    await onPaid();
  });

  return (
    <Form
      onSubmit={() => {
        pay.mutate();
      }}
    >
      <Stack>
        {!isReady && !problem && <Skeleton height={180} aria-label="Loading Stripe’s card form" />}
        <div ref={place} />
        <Problem error={problem ?? pay.error} />
        {!problem && (
          <Button type="submit" disabled={!isReady} loading={pay.isPending}>
            Pay
          </Button>
        )}
      </Stack>
    </Form>
  );
}
