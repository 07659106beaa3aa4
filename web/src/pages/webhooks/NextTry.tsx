import { When } from '../../components/When.tsx';

interface NextTryProps {
  /** Null: it is no longer tried by itself. */
  at: string | null;
  /** How many events are on hold for it. */
  held: number;
}

/** When a disabled webhook is tried again without anybody doing anything. */
export function NextTry({ at, held }: NextTryProps) {
  if (at === null) return <>No longer tried by itself.</>;
  if (held === 0) return <>Tried again with the next event.</>;
  return (
    <>
      Tried again at <When at={at} /> UTC.
    </>
  );
}
