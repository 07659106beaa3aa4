/** The part of Stripe.js that the card form uses. */
export interface Stripe {
  elements(options: { clientSecret: string; appearance: { theme: 'stripe' | 'night' } }): Elements;
  confirmPayment(options: {
    elements: Elements;
    confirmParams: { return_url: string };
    redirect: 'if_required';
  }): Promise<{ error?: { message?: string } }>;
}

export interface Elements {
  create(kind: 'payment'): PaymentElement;
}

export interface PaymentElement {
  mount(place: HTMLElement): void;
  destroy(): void;
  on(event: 'ready' | 'loaderror', listener: (event: { error?: { message?: string } }) => void): void;
}

/** Must come from Stripe itself, and in the release whose API the server speaks. The content policy allows it on this page only. */
const SCRIPT = 'https://js.stripe.com/endive/stripe.js';

let loading: Promise<(key: string) => Stripe> | undefined;

export async function loadStripe(publishableKey: string): Promise<Stripe> {
  loading ??= fetchScript().catch((error) => {
    loading = undefined;
    throw error;
  });
  return (await loading)(publishableKey);
}

function fetchScript(): Promise<(key: string) => Stripe> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = SCRIPT;
    script.onload = () => {
      const { Stripe } = window as { Stripe?: (key: string) => Stripe };
      if (Stripe) resolve(Stripe);
      else reject(new Error('Stripe’s card form did not start. Reload the page to try again.'));
    };
    script.onerror = () => {
      script.remove();
      reject(new Error('Stripe’s card form can’t be loaded. Check that your network allows js.stripe.com.'));
    };
    document.head.append(script);
  });
}
