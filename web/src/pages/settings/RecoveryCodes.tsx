import { SecretDialog } from '../../components/SecretDialog.tsx';

/** Recovery codes, which are shown once. */
export function RecoveryCodes({ codes, onClose }: { codes: readonly string[] | undefined; onClose: () => void }) {
  return (
    <SecretDialog title="Your recovery codes" what="the recovery codes" secret={codes?.join('\n')} onClose={onClose}>
      Each code works once in place of your app, for the day you don’t have your phone. Keep them apart from your
      password. Without app and codes, only the operator of this server can let you in again.
    </SecretDialog>
  );
}
