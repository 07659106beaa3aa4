const format = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  minimumFractionDigits: 2,
  maximumFractionDigits: 6,
});

/** A wholesale cost, which can have up to six decimals. */
export function Cost({ amount }: { amount: string }) {
  return <span className="num">{format.format(Number(amount))}</span>;
}
