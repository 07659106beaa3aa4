/** Asks the person at the keyboard for their password again; true when they gave it. */
type Ask = () => Promise<boolean>;

let askNow: Ask | undefined;

/** The dialog that asks registers itself here, because requests are made outside of components. Returns a function that unregisters it. */
export function onConfirmationNeeded(ask: Ask): () => void {
  askNow = ask;
  return () => {
    askNow = undefined;
  };
}

let asking: Promise<boolean> | undefined;

/** Asks once, however many requests wait for the answer. */
export const askToConfirm: Ask = () => {
  asking ??= (askNow?.() ?? Promise.resolve(false)).finally(() => {
    asking = undefined;
  });
  return asking;
};
