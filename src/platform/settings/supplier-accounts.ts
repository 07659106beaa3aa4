import { ConfigError, type Settings } from './environment.ts';
import { DEFAULT_URLS, MATCHING_ID_FIELDS, NOTIFY_SECRET } from './supplier-fields.ts';

/** The accounts at suppliers that the environment gives. What belongs to an account is checked without the account, too. */
export function readSupplierAccounts(env: NodeJS.ProcessEnv, { url, both, credential }: Settings) {
  const notifySecret = (name: string): { notifySecret?: string } => {
    const given = env[name] || undefined;
    if (given && !NOTIFY_SECRET.test(given)) throw new ConfigError(`${name} must be 16 to 128 letters, digits, - or _`);
    return given ? { notifySecret: given } : {};
  };
  const [clientId = '', clientSecret = ''] = [credential('AIRALO_CLIENT_ID'), credential('AIRALO_CLIENT_SECRET')];
  const airalo = { clientId, clientSecret, url: url('AIRALO_URL', DEFAULT_URLS.airalo) };
  const [accessCode = '', secret = ''] = [credential('ESIM_ACCESS_CODE'), credential('ESIM_ACCESS_SECRET')];
  const esimAccess = {
    accessCode,
    secret,
    url: url('ESIM_ACCESS_URL', DEFAULT_URLS.esim_access),
    /** The last segment of the address for its notifications; undefined: the address has none. */
    ...notifySecret('ESIM_ACCESS_NOTIFY_SECRET'),
  };
  const esimGo = { key: credential('ESIM_GO_KEY') ?? '', url: url('ESIM_GO_URL', DEFAULT_URLS.esim_go) };
  const zendit = {
    apiKey: credential('ZENDIT_API_KEY') ?? '',
    url: url('ZENDIT_URL', DEFAULT_URLS.zendit),
    /** The field of a delivered purchase that has the eSIM's matching id. */
    matchingIdField: matchingIdField(env.ZENDIT_MATCHING_ID),
    /** The secret in a header of its notifications; undefined: they are not accepted. */
    ...notifySecret('ZENDIT_NOTIFY_SECRET'),
  };
  return {
    airalo: both('AIRALO_CLIENT_ID and AIRALO_CLIENT_SECRET', clientId, clientSecret) ? airalo : undefined,
    esimAccess: both('ESIM_ACCESS_CODE and ESIM_ACCESS_SECRET', accessCode, secret) ? esimAccess : undefined,
    esimGo: esimGo.key ? esimGo : undefined,
    zendit: zendit.apiKey ? zendit : undefined,
  };
}

function matchingIdField(given: string | undefined): (typeof MATCHING_ID_FIELDS)[number] {
  const wanted = given || MATCHING_ID_FIELDS[0];
  const field = MATCHING_ID_FIELDS.find((name) => name === wanted);
  if (!field) throw new ConfigError(`ZENDIT_MATCHING_ID must be ${MATCHING_ID_FIELDS.join(' or ')}`);
  return field;
}
