import { When } from '../../parts/When.tsx';

interface NextTryProps {
  /** Null: it is no longer tried by itself. */
  at: string | null;
  /** How many events are on hold for it. */
  held: number;
}

/** When a disabled webhook is tried again automatically. */
export function NextTry({ at, held }: NextTryProps) {
  if (at === null) return <>We no longer retry automatically.</>;
  if (held === 0) return <>We try again with the next event.</>;
  return (
    <>
      The next try is at <When at={at} exact />.
    </>
  );
}
