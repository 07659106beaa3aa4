/** Fields that hold a secret. Masks and last digits are safe. */
const SECRET = /secret|password|token|hash|totp|recovery|activation|matching_?id|confirmation_?code/i;
const NAMES_ONE = /mask|last_?4/i;

/** A state from the audit log without anything that could be a secret. The log has none; this is a second line of defence. */
export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      SECRET.test(name) && !NAMES_ONE.test(name) && typeof inner === 'string' ? '(hidden)' : withoutSecrets(inner),
    ]),
  );
}
