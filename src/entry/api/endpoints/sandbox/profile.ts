import { countryOf, profileStates } from '../../../../domains/supply/port/port.ts';
import { described } from '../../../../platform/contract/described.ts';
import { failBecause } from '../../../../platform/contract/failure.ts';
import { custom, notPlain } from '../../../../platform/contract/fields.ts';
import { Type } from '../../../../platform/contract/schema.ts';
import { endpoint } from '../../endpoint.ts';
import { changedEsimSchema, changedEsimView, iccidField, profileMeanings, requireEsim } from '../esim/rows.ts';

const MAX_NAME = 100;
/** What a supplier's name of a phone cannot have either. */
const UNSHOWN = /[\p{Cc}\p{Cf}\p{Cs}<>"]/gu;

const state = custom<(typeof profileStates)[number] | undefined>({
  schema: Type.Enum([...profileStates]),
  required: false,
  errors: ['invalid_state'],
  parse(raw) {
    const known = profileStates.find((one) => one === raw);
    if (raw !== undefined && known === undefined) throw failBecause('invalid_state', 'profile');
    return known;
  },
});

const country = custom<string | undefined>({
  schema: Type.String({ pattern: '^[A-Za-z]{2}$' }),
  required: false,
  errors: ['invalid_country'],
  parse(raw) {
    if (raw === undefined) return undefined;
    const code = countryOf(raw);
    if (code === null) throw failBecause('invalid_country', 'profile');
    return code;
  },
});

const name = custom<string | undefined>({
  schema: Type.String(),
  required: false,
  errors: [],
  // Nothing depends on it, so what does not fit is left out.
  parse: (raw) =>
    raw === undefined || raw === notPlain
      ? undefined
      : [...raw.replaceAll(UNSHOWN, '')].slice(0, MAX_NAME).join('') || undefined,
});

export const profile = endpoint({
  path: '/sandbox/profile',
  verb: 'POST',
  tier: 'money',
  permission: 'money',
  summary: 'Play the phone of an eSIM: where its profile is, and in which country (sandbox keys only)',
  about:
    'Sends the events that follow: `esim.installed`, `esim.removed`, `esim.country_changed`. Fields that are not sent stay as they are.',
  isExtension: true,
  needs: (world) => world.tools,
  fields: {
    iccid: iccidField,
    state: described('The state of the profile.', state, { example: 'installed', meanings: profileMeanings }),
    country: described('ISO code of the country where the phone is.', country, { example: 'FR' }),
    brand: described('Who makes the phone. What is over 100 characters is cut off.', name, { example: 'Apple' }),
    model: described('The model of the phone. What is over 100 characters is cut off.', name, { example: 'iPhone 17' }),
  },
  errors: ['sandbox_only_action', 'esim_not_found'],
  simulated: ['iccid_required', 'esim_not_found', 'invalid_state', 'invalid_country'],
  reply: Type.Object({ esim: changedEsimSchema }),
  async handle(context, { iccid, ...played }, { port }) {
    await port.playProfile(await requireEsim(context, iccid), played, context.now);
    return { body: { esim: await changedEsimView(context, iccid) } };
  },
});
