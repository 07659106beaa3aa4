const format = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
const signed = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', signDisplay: 'exceptZero' });

interface MoneyProps {
  /** The API has money as numbers in some fields and as decimal strings in others. */
  amount: number | string;
  /** A movement: shows which way it went. */
  movement?: boolean;
}

export function Money({ amount, movement = false }: MoneyProps) {
  return <span className="num">{(movement ? signed : format).format(Number(amount))}</span>;
}
