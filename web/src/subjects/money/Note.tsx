/** What was written with a movement. It may hold a payment key, which has to break on a phone. */
export function Note({ text }: { text: string }) {
  return <span style={{ overflowWrap: 'anywhere' }}>{text || '–'}</span>;
}
