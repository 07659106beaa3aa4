import type { Dice } from '../chaos/dice.ts';
import type { Care } from './values.ts';

const PLAIN = /[A-Za-z0-9\-_.~]/;

/** Every byte that is not plain as `%XX`; a lone surrogate becomes the replacement character, as in every client. */
export const percent = (text: string): string =>
  Buffer.from(text, 'utf8')
    .toString('latin1')
    .replaceAll(/[\s\S]/g, (one) =>
      PLAIN.test(one) ? one : `%${one.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`,
    );

const BROKEN = ['%', '%G0', '%2', '%C3', '%FF%FE', '%ED%A0%80', '%C0%80', '%F8%88%80%80%80', '%E2%82'];

/** A field as it is sent; a hostile one may be encoded wrongly, named like an array, or sent twice. */
export function pair(dice: Dice, care: Care, name: string, value: string): string[] {
  const plain = `${percent(name)}=${percent(value)}`;
  if (care === 'valid' || !dice.chance(25)) return [plain];
  switch (dice.below(7)) {
    case 0:
      return [plain, plain];
    case 1:
      return [`${percent(name)}[]=${percent(value)}`];
    case 2:
      return [`${percent(name)}[a][b]=${percent(value)}`];
    case 3:
      return [percent(name)];
    case 4:
      return [`${percent(name)}=${dice.of(BROKEN)}${percent(value)}`];
    case 5:
      return [`${percent(name)}=${percent(value).replaceAll('%20', '+')}`];
    default:
      return [`${percent(name)}=%00${percent(value)}`];
  }
}
