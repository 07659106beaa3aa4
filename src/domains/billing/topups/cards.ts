import type { Cents } from '../../../platform/amounts/cents.ts';

/** A payment as we recorded it before asking anyone for money. `paymentKey` is our reference at the provider. */
export interface Payment {
  readonly paymentKey: string;
  readonly amount: Cents;
  readonly currency: string;
}

/** What the provider says about a payment. This is the only source we trust: never a caller, never an event. */
export interface Intent {
  readonly id: string;
  /** The reference the provider holds; empty when the intent was not opened by us. */
  readonly paymentKey: string;
  /** open: can still be paid. pending: paid, but not settled yet. succeeded and canceled are final. */
  readonly state: 'open' | 'pending' | 'succeeded' | 'canceled';
  /** What was received once succeeded, else what is asked for. */
  readonly amount: Cents;
  readonly currency: string;
  /** Sent back to the card holder. */
  readonly refunded: Cents;
  /** Withdrawn by the card holder's bank and not won back. */
  readonly disputed: Cents;
}

/** The client secret is handed to the caller once and never stored. */
type OpenedIntent = Intent & { readonly clientSecret: string };

/** A provider of card payments. Every method may be repeated: the same arguments never open or pay anything twice. */
export interface CardPayments {
  readonly name: string;
  /** With it a partner can complete a payment on its own page. */
  readonly publishableKey?: string | undefined;
  /** The same payment key gives the same intent. Throws `CardsRejected` when the provider refuses the payment. */
  open(payment: Payment): Promise<OpenedIntent>;
  read(intentId: string, payment: Payment): Promise<Intent>;
  /** Closes an unpaid intent for good. One that is paid or being paid comes back as it is. */
  cancel(intentId: string, payment: Payment): Promise<Intent>;
}

/** Which payment an event is about. It is only a hint: the state is then read from the provider. */
export interface PaymentHint {
  readonly intentId?: string | undefined;
  readonly paymentKey?: string | undefined;
}

/** The provider understood and said no: repeating the call would not help. */
export class CardsRejected extends Error {}

/** No answer, or none that says what happened. The call may have had its effect. */
export class CardsUnavailable extends Error {}

/** An event that does not carry its sender's signature, or an old one. */
export class BadSignature extends Error {}
