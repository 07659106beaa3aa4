/** The tabs of a browser share one session: what is said here is heard in all the others. */
const channel = new BroadcastChannel('wayfare-session');

/** Somebody came in or went out. */
export const tellOtherTabs = (): void => channel.postMessage('changed');

export function hearOtherTabs(then: () => void): void {
  channel.onmessage = then;
}
