/** All tabs of a browser share one session, so they notify each other when it changes. */
const channel = new BroadcastChannel('wayfare-session');

/** Call after signing in or out. */
export const notifyOtherTabs = (): void => channel.postMessage('changed');

export function hearOtherTabs(then: () => void): void {
  channel.onmessage = then;
}
