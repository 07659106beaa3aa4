export const modes = ['live', 'sandbox'] as const;
export type Mode = (typeof modes)[number];
export const isMode = (text: string | undefined): text is Mode => modes.some((mode) => mode === text);

/** The world an address is in; undefined: it is in none. */
export function modeIn(pathname: string): Mode | undefined {
  const first = pathname.split('/')[1];
  return isMode(first) ? first : undefined;
}

/** Each world has its colour, wherever it is named. White text on either has a contrast of at least 4.5:1. */
export const modeColor: Record<Mode, string> = { live: 'teal.9', sandbox: '#c2410c' };
export const modeName: Record<Mode, string> = { live: 'Live', sandbox: 'Sandbox' };
