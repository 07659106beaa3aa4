import type { Catalog } from '../../../../domains/catalog/catalog.ts';
import {
  type Capability,
  capabilitiesOf,
  coveredBy,
  type Esim,
  type EsimState,
} from '../../../../domains/sales/esims/esims.ts';
import { whyNotReplaceable } from '../../../../domains/sales/replacements/replacements.ts';
import type { profileStates } from '../../../../domains/supply/port/port.ts';
import { timestamp } from '../../../../platform/clock.ts';
import {
  described,
  type Meanings,
  named,
  nullable,
  said,
  utcTime,
  vocabulary,
} from '../../../../platform/contract/described.ts';
import { fail } from '../../../../platform/contract/failure.ts';
import { requiredText } from '../../../../platform/contract/fields.ts';
import { ICCID } from '../../../../platform/contract/ids.ts';
import { plainly } from '../../../../platform/contract/json.ts';
import { profileBody } from '../../../../platform/contract/resources.ts';
import { Type } from '../../../../platform/contract/schema.ts';
import type { Context, Described, PathParam } from '../../endpoint.ts';
import { usageMeanings } from '../order/usage.ts';

export const iccidParam: PathParam = {
  name: 'iccid',
  missing: 'iccid_required',
  schema: said.text('The number of the eSIM.'),
};

export const iccidField = described('The number of the eSIM.', requiredText('iccid_required'), {
  example: '8900012345678901234',
});

/** The partner's eSIM. Text that cannot be an ICCID is answered as not found without a query. */
export async function requireEsim({ world, partnerId, now }: Context, iccid: string): Promise<Esim> {
  const esim = ICCID.test(iccid) ? await world.esims.find(partnerId, iccid, now) : undefined;
  if (!esim) throw fail('esim_not_found');
  return esim;
}

export const esimMeanings = {
  ...usageMeanings,
  cancelled: 'Withdrawn at its supplier after a refund.',
  suspended: 'Switched off with `esim/suspend`.',
} satisfies Meanings<EsimState>;

export const esimState = vocabulary('The state of the eSIM.', esimMeanings);

export const profileMeanings = {
  released: 'Ready to be downloaded.',
  downloaded: 'Downloaded to a phone, not installed yet.',
  installed: 'Installed on a phone.',
  enabled: 'Installed and switched on.',
  disabled: 'Installed and switched off.',
  deleted: 'Deleted from the phone.',
  unknown: 'Its supplier does not tell.',
} satisfies Meanings<(typeof profileStates)[number]>;

export const profileSchema = named('PhoneProfile', 'What is known of the eSIM on the phone.', {
  state: vocabulary('Where the eSIM is.', profileMeanings),
  device: nullable(
    named('Phone', 'The phone.', {
      brand: said.text('Who makes it; may be empty.', 'Apple'),
      model: said.text('Its model; may be empty.', 'iPhone 17'),
    }),
  ),
  country: nullable(said.text('ISO code of the country where it was last seen.', 'FR')),
  covered: nullable(said.boolean('Whether the plan covers that country; null: not known.', true)),
  seen_at: nullable(utcTime('When it was last seen there; null: not known.')),
});

const capability = vocabulary<Capability>('What can be asked for.', {
  suspend: '`esim/suspend` and `esim/resume`.',
  replace: '`esim/replace`.',
  refill: '`purchase/refill`.',
  refund: '`order/refund` of its order.',
});

/** What both the list and the detail say of an eSIM on the phone. */
export const phoneFields = {
  profile: profileSchema,
  capabilities: Type.Array(capability, {
    description: 'What can be asked for now.',
    examples: [['suspend', 'refund']],
  }),
};

export async function phoneView({ world, catalog }: Context, esim: Esim) {
  const [isSwitchable, refills] = await Promise.all([
    world.suspensions.isSupported(esim),
    world.esims.refillsOf(catalog, esim),
  ]);
  const covered = coveredBy(catalog.byAlias(esim.productId), esim.profile.country);
  const isReplaceable = esim.replacement !== 'requested' && whyNotReplaceable(esim) === undefined;
  return {
    profile: profileBody({ ...esim.profile, covered }),
    capabilities: capabilitiesOf(esim, { isSwitchable, hasRefills: refills.length > 0, isReplaceable }),
  };
}

const figures = {
  iccid: said.text('The number of the eSIM.'),
  order_id: said.integer('The order that brought it.'),
  reference: said.text('Your own reference of that order; empty if you gave none.'),
  product_id: said.text('The product that was bought.'),
  product_title: said.text('Name of the plan.'),
  country_code: said.text('Its destination: ISO code of a country, or the code of a region.'),
  country_name: said.text('Name of the destination.'),
  state: esimState,
  total_mb: said.integer('Data in all, refills included, in MB.'),
  used_mb: said.integer('Data used, in MB; 0 before the first reading.'),
  activated_at: nullable(utcTime('When it was first used; null: not yet.')),
  expires_at: nullable(utcTime('When it ends; null: not known yet.')),
  fetched_at: nullable(utcTime('When these figures were read; null: never.')),
  refills: said.integer('How many refills it got.'),
};

export const esimRowSchema = named('Esim', 'An eSIM with the figures of its last usage reading.', {
  ...figures,
  share_url: said.text('A page for the traveller. Empty if it was revoked.'),
  ...phoneFields,
});

/** What a change answers. It may be stored for a repeat of the change, so the address of the traveller's page is left out. */
export const changedEsimSchema = named('ChangedEsim', 'An eSIM after a change: its row without the `share_url`.', {
  ...figures,
  ...phoneFields,
});

/** The partner's eSIM, read again after a change. */
export async function changedEsimView(context: Context, iccid: string): Promise<Described<typeof changedEsimSchema>> {
  const esim = await requireEsim(context, iccid);
  return { ...figuresOf(esim, context.catalog), ...(await phoneView(context, esim)) };
}

/** The rows of these eSIMs. */
export async function esimViews(
  context: Context,
  esims: readonly Esim[],
): Promise<readonly Described<typeof esimRowSchema>[]> {
  const urls = await context.world.travellerLinks.urlsOf(esims.map(({ orderId }) => orderId));
  return Promise.all(
    esims.map(async (esim) => ({
      ...figuresOf(esim, context.catalog),
      share_url: urls.get(esim.orderId) ?? '',
      ...(await phoneView(context, esim)),
    })),
  );
}

function figuresOf(esim: Esim, catalog: Catalog) {
  const { reading } = esim;
  return {
    ...plainly(esim, 'iccid', 'orderId', 'reference', 'productId', 'productTitle', 'countryCode'),
    country_name: catalog.destination(esim.countryCode)?.title ?? esim.countryCode,
    state: esim.state,
    total_mb: reading?.totalMb ?? esim.amountMb,
    used_mb: reading?.usedMb ?? 0,
    activated_at: timestamp(reading?.activatedAt ?? null),
    expires_at: timestamp(reading?.expiresAt ?? null),
    fetched_at: timestamp(reading?.fetchedAt ?? null),
    refills: esim.refills,
  };
}
