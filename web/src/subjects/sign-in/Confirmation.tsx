import { Suspense, useEffect, useState } from 'react';
import { part } from '../../parts/later.tsx';
import { onConfirmationNeeded } from '../../parts/server/confirmation.ts';
import type { Proof } from './ConfirmationDialog.tsx';

const ConfirmationDialog = part(async () => (await import('./ConfirmationDialog.tsx')).ConfirmationDialog);

/** Opens the dialog when the server wants the password again, and answers the request that waits for it. */
export function Confirmation(proof: Proof) {
  const [waiting, setWaiting] = useState<{ readonly answer: (isConfirmed: boolean) => void }>();
  useEffect(
    () =>
      onConfirmationNeeded(
        () =>
          new Promise((answer) => {
            setWaiting({ answer });
          }),
      ),
    [],
  );
  if (!waiting) return null;
  return (
    <Suspense>
      <ConfirmationDialog
        {...proof}
        onAnswer={(isConfirmed) => {
          setWaiting(undefined);
          waiting.answer(isConfirmed);
        }}
      />
    </Suspense>
  );
}
