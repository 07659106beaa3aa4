import { SecretDialog } from '../../parts/SecretDialog.tsx';

/** Recovery codes, which are shown once. */
export function RecoveryCodes({
  codes,
  rescuer,
  onClose,
}: {
  codes: readonly string[] | undefined;
  rescuer: string;
  onClose: () => void;
}) {
  return (
    <SecretDialog title="Your recovery codes" what="the recovery codes" secret={codes?.join('\n')} onClose={onClose}>
      Each code works once in place of your app, in case you don’t have your phone. Keep them apart from your password.
      Without app and codes, only {rescuer} can let you in again.
    </SecretDialog>
  );
}
