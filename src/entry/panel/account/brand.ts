import { type BrandForm, brandFrom, setBrand } from '../../../actions/travellers/brand.ts';
import { type Language, languages } from '../../../domains/messages/texts/texts.ts';
import { type Brand, findBrand, MAX_LOGO_BYTES } from '../../../domains/travellers/travellers.ts';
import { Refused } from '../../../platform/contract/refused.ts';
import { type Static, type TObject, Type } from '../../../platform/contract/schema.ts';
import type { Base } from '../../../worlds/base.ts';
import { jsonOf, shortText } from '../../site/json/action.ts';
import { previewOf, previewStates } from '../../traveller/preview.ts';
import { fields, memberChange, memberRead } from '../member-action.ts';

/** Base64 of the largest logo, and the other fields. */
const MAX_BODY_BYTES = Math.ceil((MAX_LOGO_BYTES * 4) / 3) + 16 * 1024;

const texts = {
  display_name: shortText,
  color: shortText,
  support_url: shortText,
  /** Without the field it stays. */
  refill_url: Type.Optional(shortText),
  /** The same. */
  allows_replacement: Type.Optional(Type.Boolean()),
};

/** Stands for a file that was chosen and not saved yet: only the browser has it, and puts it into the preview. */
const NEW_LOGO = { type: 'image/png', bytes: Buffer.alloc(0) } as const;

export const brandActions = ({ db }: Base) => [
  memberRead('/api/brand', {
    may: 'see',
    viewed: {
      brand: fields('display_name', 'color', 'support_url', 'refill_url', 'allows_replacement', 'has_logo'),
      languages: fields('code', 'name'),
    },
    read: async ({ member }) => ({ brand: view(await findBrand(db, member.partnerId)), languages: languageViews }),
  }),
  memberChange('/api/brand', {
    may: 'change',
    maxBytes: MAX_BODY_BYTES,
    body: Type.Object({
      ...texts,
      /** Base64 of a file. Null removes the logo; without the field it stays. */
      logo: Type.Optional(Type.Union([Type.String({ maxLength: MAX_BODY_BYTES }), Type.Null()])),
    }),
    handle: async ({ actor, member }, given) => ({
      body: { brand: view(await setBrand(actor, member.partnerId, formOf(given))) },
    }),
  }),
  memberChange('/api/brand/preview', {
    may: 'see',
    tier: 'read',
    keyless: 'it changes nothing, and is asked for with every stroke of a key',
    body: Type.Object({
      ...texts,
      /** The file itself is sent once, to be saved. */
      logo: Type.Optional(Type.Union([Type.Literal('new'), Type.Null()])),
      language: Type.Enum(Object.keys(languages) as Language[]),
      state: Type.Enum([...previewStates]),
    }),
    async handle({ member, now }, { language, state, logo, ...given }) {
      const kept = await findBrand(db, member.partnerId);
      const brand = brandFrom(textsOf(given), logo === 'new' ? NEW_LOGO : logo, kept);
      return { body: { html: previewOf({ brand, language, state, now }) } };
    },
  }),
];

type Texts = Static<TObject<typeof texts>>;

const textsOf = ({ display_name, color, support_url, refill_url, allows_replacement }: Texts) => ({
  displayName: display_name,
  color,
  supportUrl: support_url,
  refillUrl: refill_url,
  allowsReplacement: allows_replacement,
});

function formOf({ logo, ...given }: Texts & { readonly logo?: string | null }): BrandForm {
  // Node skips what is not base64; a file that lost characters would be refused for a reason that explains nothing.
  if (logo && !/^[A-Za-z0-9+/]*={0,2}$/.test(logo)) throw new Refused('invalid_logo', 'the logo is not sent as base64');
  return { ...textsOf(given), logo: typeof logo === 'string' ? Buffer.from(logo, 'base64') : logo };
}

const view = (brand: Brand) => ({
  ...jsonOf(brand, 'displayName', 'supportUrl', 'refillUrl', 'allowsReplacement'),
  color: brand.color ?? '',
  has_logo: brand.logo !== null,
});

const languageViews = (Object.keys(languages) as Language[]).map((code) => ({ code, name: languages[code].name }));
