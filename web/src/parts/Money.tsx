const format = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
const signed = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', signDisplay: 'exceptZero' });

/** For texts that cannot hold elements. */
export const dollars = (amount: number | string): string => format.format(Number(amount));

interface MoneyProps {
  /** The API sends some amounts as numbers and others as decimal strings. */
  amount: number | string;
  /** Show the sign. */
  movement?: boolean;
}

export function Money({ amount, movement = false }: MoneyProps) {
  return <span className="num">{(movement ? signed : format).format(Number(amount))}</span>;
}
