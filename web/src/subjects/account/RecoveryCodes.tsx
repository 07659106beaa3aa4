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
      After your password, each code works once in place of your app or passkey, in case you don’t have your device.
      Keep them apart from your password. Without any of them, only {rescuer} can let you in again.
    </SecretDialog>
  );
}
