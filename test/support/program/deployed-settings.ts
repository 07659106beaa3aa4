import { readFileSync } from 'node:fs';

/** What systemd would read from the environment file we ship. */
export function deployedSettings(): Record<string, string> {
  const text = readFileSync(new URL('../../../deploy/wayfare.env', import.meta.url), 'utf8');
  return Object.fromEntries(
    [...text.matchAll(/^([A-Z0-9_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
  );
}
