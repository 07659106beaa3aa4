/** What an account at a supplier consists of. The environment, the command line and the console all go by this table. */
export interface AccountField {
  readonly name: string;
  readonly label: string;
  /** What to enter, where the label does not say it. */
  readonly about?: string;
  /** Sealed at rest, and never shown again. */
  readonly isSecret: boolean;
  readonly isRequired: boolean;
  /** In force where nothing is given. */
  readonly otherwise?: string;
  readonly choices?: readonly string[];
  readonly pattern: RegExp;
  /** Completes the refusal: "url must be …". */
  readonly must: string;
}

/** Characters that can stand in a header. */
export const CREDENTIAL = /^[\x21-\x7e]{1,500}$/;
export const NOTIFY_SECRET = /^[\w-]{16,128}$/;
export const SIGNING_SECRET = /^whsec_[0-9A-Za-z+/=]{32,}$/;
export const MATCHING_ID_FIELDS = ['activationCode', 'externalReferenceId'] as const;

/** Credentials do not travel in the clear, except to this machine. */
const SERVER = String.raw`(https://[^\s/?#@]+|http://(localhost|127\.0\.0\.1|\[::1\])(:\d+)?)`;
const ADDRESS = new RegExp(String.raw`^${SERVER}(/[^\s?#]*)?$`);
const V3_ADDRESS = new RegExp(String.raw`^${SERVER}(/[^\s?#]*)?/v3/?$`);

export const DEFAULT_URLS = {
  airalo: 'https://partners-api.airalo.com',
  esim_access: 'https://api.esimaccess.com/api/v1/open',
  esim_go: 'https://api.esim-go.com/v2.5',
  zendit: 'https://api.zendit.io/v1',
} as const;

const credential = (name: string, label: string): AccountField => ({
  name,
  label,
  isSecret: true,
  isRequired: true,
  pattern: CREDENTIAL,
  must: '1 to 500 letters, digits and symbols without spaces',
});

const notifySecret = (about: string): AccountField => ({
  name: 'notify_secret',
  label: 'Secret of notifications',
  about,
  isSecret: true,
  isRequired: false,
  pattern: NOTIFY_SECRET,
  must: '16 to 128 letters, digits, - or _',
});

const address = (otherwise: string): AccountField => ({
  name: 'url',
  label: 'Address of the API',
  isSecret: false,
  isRequired: false,
  otherwise,
  pattern: ADDRESS,
  must: 'an https:// address without user, password and query; http:// only on this machine',
});

const pace = (about: string): AccountField => ({
  name: 'calls_per_second',
  label: 'Calls per second',
  about,
  isSecret: false,
  isRequired: false,
  pattern: /^([1-9]\d?|100)$/,
  must: 'a whole number from 1 to 100',
});

export interface AccountKind {
  readonly title: string;
  readonly fields: readonly AccountField[];
}

/** Kinds of supplier that have an account, as in `suppliers.kind`. */
export const accountKinds: Readonly<Record<string, AccountKind>> = {
  airalo: {
    title: 'Airalo',
    fields: [
      credential('client_id', 'Client ID'),
      credential('client_secret', 'Client secret'),
      address(DEFAULT_URLS.airalo),
      pace('Of each process. Empty: no limit of ours; Airalo allows 5 to the whole account'),
    ],
  },
  esim_access: {
    title: 'eSIM Access',
    fields: [
      credential('access_code', 'Access code'),
      credential('secret', 'Secret key'),
      notifySecret('The last part of the address for its notifications. Empty: the address ends with the name'),
      address(DEFAULT_URLS.esim_access),
      pace('Of each process. Empty: 7; eSIM Access allows 8 to the whole account'),
    ],
  },
  esim_go: {
    title: 'eSIM Go',
    fields: [
      credential('key', 'API key'),
      address(DEFAULT_URLS.esim_go),
      pace('Of each process. Empty: 8; eSIM Go allows 10 to the whole account'),
    ],
  },
  zendit: {
    title: 'Zendit',
    fields: [
      credential('api_key', 'API key'),
      notifySecret('What its notifications carry in X-Webhook-Token. Empty: none are received'),
      address(DEFAULT_URLS.zendit),
      {
        name: 'matching_id',
        label: 'Field with the matching ID',
        about: 'docs/suppliers.md says how to find out',
        isSecret: false,
        isRequired: false,
        otherwise: MATCHING_ID_FIELDS[0],
        choices: MATCHING_ID_FIELDS,
        pattern: new RegExp(`^(${MATCHING_ID_FIELDS.join('|')})$`),
        must: MATCHING_ID_FIELDS.join(' or '),
      },
      pace('Of each process. Empty: no limit'),
    ],
  },
  partner_v3: {
    title: 'A server of the partner API',
    fields: [
      {
        ...address(''),
        about: 'Ends in /v3',
        isRequired: true,
        pattern: V3_ADDRESS,
        must: 'an https:// address that ends in /v3, without user, password and query; http:// only on this machine',
      },
      credential('key', 'API key'),
      {
        name: 'secret',
        label: 'Secret of the webhook',
        about: 'As it was shown when the webhook was created there. Empty: none are received',
        isSecret: true,
        isRequired: false,
        pattern: SIGNING_SECRET,
        must: 'the secret of a webhook as it was shown: whsec_ and what follows it',
      },
    ],
  },
};
