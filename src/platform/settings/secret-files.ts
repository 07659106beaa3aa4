import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { partnerV3Setting, partnerV3Slugs } from './supplier-accounts.ts';

/** Settings whose values are kept out of logs and pages. Each can also be given in a file. */
export const SECRET_SETTINGS = [
  'DATABASE_URL',
  'DATABASE_READ_URL',
  'REDIS_URL',
  'WAYFARE_SECRET',
  'WAYFARE_SECRET_OLD',
  'WAYFARE_KEY',
  'AIRALO_CLIENT_ID',
  'AIRALO_CLIENT_SECRET',
  'ESIM_ACCESS_CODE',
  'ESIM_ACCESS_SECRET',
  'ESIM_ACCESS_NOTIFY_SECRET',
  'ESIM_GO_KEY',
  'ZENDIT_API_KEY',
  'ZENDIT_NOTIFY_SECRET',
  'PARTNER_V3_KEY',
  'PARTNER_V3_SECRET',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'STRIPE_PUBLISHABLE_KEY',
  'SMTP_URL',
  'OIDC_CLIENT_SECRET',
] as const;

export type SecretSetting = (typeof SECRET_SETTINGS)[number];

/** With those of further accounts, which the other settings name. */
const secretSettings = (env: NodeJS.ProcessEnv): Set<string> =>
  new Set([
    ...SECRET_SETTINGS,
    ...partnerV3Slugs(env).flatMap((slug) => [partnerV3Setting(slug, 'KEY'), partnerV3Setting(slug, 'SECRET')]),
  ]);

/**
 * The environment with the secrets that stand in files: `<SETTING>_FILE` names one, as container secrets do, and systemd puts
 * those of `LoadCredential=` into `$CREDENTIALS_DIRECTORY/<SETTING>`. Returns a sentence if a setting is given twice, which would
 * be ambiguous, or a file cannot be read; it never repeats a value.
 */
export function withSecretFiles(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv | string {
  const found: Record<string, string> = {};
  for (const setting of secretSettings(env)) {
    const byFile = `${setting}_FILE`;
    const places = [
      { name: byFile, file: env[byFile], isOptional: false },
      { name: `the credential ${setting}`, file: credential(env, setting), isOptional: true },
    ];
    let givenBy: string | undefined = env[setting] ? setting : undefined;
    for (const { name, file, isOptional } of places) {
      const value = file && contentOf(file);
      if (!value || (isOptional && value.problem === 'ENOENT')) continue;
      if ('problem' in value) return `${name} cannot be read: ${file} (${value.problem})`;
      if (givenBy) return `${givenBy} and ${name} are both set: keep one`;
      if (value.text === '') return `${name} is empty: ${file}`;
      found[setting] = value.text;
      givenBy = name;
    }
  }
  return Object.keys(found).length === 0 ? env : { ...env, ...found };
}

const credential = ({ CREDENTIALS_DIRECTORY: folder }: NodeJS.ProcessEnv, setting: string): string | undefined =>
  folder && join(folder, setting);

/** Without the newline that editors and `echo` leave at the end. */
function contentOf(file: string): { text: string; problem?: never } | { problem: string } {
  try {
    return { text: readFileSync(file, 'utf8').replace(/[\r\n]+$/, '') };
  } catch (error) {
    return { problem: (error as NodeJS.ErrnoException).code ?? 'unreadable' };
  }
}
