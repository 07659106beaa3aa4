/** `count(1, 'day')` is "1 day", `count(2, 'day')` is "2 days". */
export const count = (number: number | string, noun: string): string =>
  `${number} ${noun}${Number(number) === 1 ? '' : 's'}`;
