/** Why an order failed, or why it waits, in words. Unknown reasons are shown as they are. */
const reasons: Readonly<Record<string, string>> = {
  provider_rejected: 'The supplier could not deliver this plan.',
  insufficient_balance: 'Your balance was lower than the price.',
  credit_limit_exceeded: 'The price was more than the credit you had left.',
  credit_charge_failed: 'The charge could not be recorded on our side, so nothing was ordered.',
  sandbox_scenario: 'The purchase asked for it with sandbox_scenario=failed.',
  awaiting_profile: 'The supplier accepted the order and is preparing the eSIM.',
  provider_unavailable: 'The supplier can’t be reached at the moment. We keep trying.',
};

export const reasonOf = (reason: string): string | null =>
  reason === '' ? null : (reasons[reason] ?? `Reason given: ${reason}`);
