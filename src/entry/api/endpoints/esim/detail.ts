import { type Language, languages } from '../../../../domains/messages/texts/texts.ts';
import { type Esim, type EsimOrder, shownState } from '../../../../domains/sales/esims/esims.ts';
import { type Usage, usageOf } from '../../../../domains/sales/usage/usage.ts';
import { androidInstallUrl, appleInstallUrl } from '../../../../domains/supply/port/port.ts';
import { formatCents } from '../../../../platform/amounts/cents.ts';
import { timestamp } from '../../../../platform/clock.ts';
import { described, named, nullable, said, usdText, utcTime } from '../../../../platform/contract/described.ts';
import { fail } from '../../../../platform/contract/failure.ts';
import { oneOf } from '../../../../platform/contract/fields.ts';
import { Type } from '../../../../platform/contract/schema.ts';
import { type Context, endpoint } from '../../endpoint.ts';
import { orderStatus, productType } from '../../views.ts';
import { esimBlock, esimFields } from '../order/detail.ts';
import { usageSchema, usageView } from '../order/usage.ts';
import { autorefillSchema, autorefillView } from './autorefill.ts';
import { esimState, iccidParam, phoneFields, phoneView, requireEsim } from './rows.ts';

/** In the order of the page's menu. */
const codes = Object.keys(languages) as Language[];

const EsimDetail = named('EsimDetail', 'Activation data and state of an eSIM. A secret.', {
  ...esimFields,
  state: esimState,
  share_url: said.text('A page for the traveller. Empty if it was revoked.'),
  ...phoneFields,
});

const EsimOrderRow = named('EsimOrder', 'An order that paid for an eSIM: the first one, or a refill.', {
  order_id: said.integer('The number of the order.'),
  product_type: productType,
  product_id: said.text('The product that was bought.'),
  product_title: said.text('Name of the plan.'),
  sale_price: usdText('What you were charged.'),
  status: orderStatus(),
  reference: said.text('Your own reference of the order; empty if you gave none.'),
  date: utcTime('When it was bought.'),
});

const steps = (phone: string) =>
  Type.Array(Type.String(), { description: `What to do on ${phone}, in this order.`, examples: [['Open Settings.']] });

const InstallSteps = named('InstallSteps', "The steps of the traveller's page, for a page or a mail of your own.", {
  lang: Type.Enum(codes, { description: 'The language of the texts.' }),
  iphone: steps('an iPhone'),
  android: steps('an Android phone'),
});

const InstallLinks = named('InstallLinks', 'Links that start the installation on the phone itself. A secret.', {
  apple_url: said.text('For an iPhone with iOS 17.4 or later.'),
  android_url: said.text('For an Android phone that knows such links.'),
  steps: InstallSteps,
});

export const detail = endpoint({
  path: '/esim/detail',
  verb: 'GET',
  tier: 'read',
  isExtension: true,
  summary: 'One eSIM: how to install it, its usage, and the orders that paid for it',
  param: iccidParam,
  fields: {
    lang: described('The language of `install.steps`.', oneOf<Language, 'en'>(codes, 'invalid_lang', 'en')),
  },
  errors: ['esim_not_found'],
  about:
    'The usage is a current reading, or the last one if the supplier does not answer. The activation data is a secret: whoever installs it first owns the line.',
  reply: Type.Object({
    esim: EsimDetail,
    usage: nullable(usageSchema),
    orders: Type.Array(EsimOrderRow, { description: 'The first order and every delivered refill, newest first.' }),
    install: InstallLinks,
    autorefill: autorefillSchema,
  }),
  async handle(context, { lang }, { param }) {
    const { world, partnerId, catalog } = context;
    const found = await requireEsim(context, param);
    const [usage, order, orders, shareUrl, autorefill] = await Promise.all([
      usageNow(context, found),
      world.orders.find(partnerId, found.orderId),
      world.esims.ordersOf(found),
      world.travellerLinks.urlOf({ id: found.orderId }),
      world.autorefills.of(found),
    ]);
    // Deleted by a reset since it was found.
    if (!order?.esim) throw fail('esim_not_found');
    // A new reading may have said something about the phone, too.
    const isNew = usage !== null && usage.fetchedAt.getTime() > (found.reading?.fetchedAt.getTime() ?? 0);
    const esim = isNew ? await requireEsim(context, param) : found;
    const { activationCode, appleUrl, erased } = order.esim;
    return {
      body: {
        esim: {
          ...esimBlock(order, catalog.byAlias(order.productId)),
          state: usage && esim.state !== 'cancelled' ? shownState(usage.status, esim.isSuspended) : esim.state,
          share_url: erased ? '' : (shareUrl ?? ''),
          ...(await phoneView(context, esim)),
        },
        usage: usage && usageView(usage, catalog),
        orders: orders.map(orderRow),
        install: {
          apple_url: appleUrl ?? appleInstallUrl(activationCode),
          android_url: erased ? '' : androidInstallUrl(activationCode),
          steps: { lang, ...stepsIn(lang) },
        },
        autorefill: autorefillView(autorefill),
      },
    };
  },
});

function stepsIn(lang: Language) {
  const { iphone, android } = languages[lang].install;
  return { iphone: iphone.steps, android: android.steps };
}

/** A current reading, or the last one if the supplier does not answer. One that was withdrawn is no longer asked about. */
async function usageNow({ world, partnerId, clock, now }: Context, esim: Esim): Promise<Usage | null> {
  const usage = esim.state === 'cancelled' ? undefined : await world.usage.of(partnerId, esim.iccid, clock);
  return usage ?? (esim.reading && usageOf(esim, esim.reading, now));
}

const orderRow = (order: EsimOrder) => ({
  order_id: Number(order.id),
  product_type: order.refillOf === null ? ('esim' as const) : ('refill' as const),
  product_id: order.productId,
  product_title: order.productTitle,
  sale_price: formatCents(order.salePrice),
  status: String(order.status),
  reference: order.reference,
  date: timestamp(order.createdAt),
});
