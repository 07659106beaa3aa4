const figure = new Intl.NumberFormat('en-US');

/** `count(1, 'day')` is "1 day", `count(2000, 'day')` is "2,000 days". */
export const count = (number: number | string, noun: string, plural = `${noun}s`): string =>
  `${figure.format(Number(number))} ${Number(number) === 1 ? noun : plural}`;
