import { dollars } from '../../../parts/Money.tsx';

/** A wholesale cost, which can have up to six decimals: they are in its tooltip. */
export function Cost({ amount }: { amount: string }) {
  return (
    <span className="num" title={`${amount} USD`}>
      {dollars(amount)}
    </span>
  );
}
