import { html } from 'hono/html';
import type { Plan } from './catalog.ts';
import { days } from './catalog-pages.ts';
import { dollars } from './money.ts';
import { type Html, page } from './page.ts';
import type { Order } from './store.ts';

const TEST_CARDS = html`<p class="hint">Test cards: <code>4242 4242 4242 4242</code> pays, <code>4000 0000 0000 0002</code> is declined.
  Any date and any code will do.</p>`;

export interface Checkout {
  readonly plan: Pick<Plan, 'title' | 'data' | 'days' | 'retailCents'>;
  /** The id its order will have: a form that is sent twice makes one order. */
  readonly orderId: string;
  readonly action: string;
  readonly email: string;
  readonly isSandbox: boolean;
  readonly problem?: string;
}

export const checkoutPage = (shopName: string, { plan, orderId, action, email, isSandbox, problem }: Checkout): Html =>
  page(
    shopName,
    `Buy ${plan.title}`,
    html`<section class="narrow"><h1>${plan.title}</h1>
    ${problem ? html`<p class="problem" role="alert">${problem}</p>` : ''}
    <dl class="facts"><div><dt>Data</dt><dd>${plan.data}</dd></div><div><dt>Valid for</dt><dd>${days(plan.days)}</dd></div>
      <div><dt>Price</dt><dd><b>${dollars(plan.retailCents)}</b></dd></div></dl>
    <form method="post" action="${action}">
      <input type="hidden" name="order" value="${orderId}"><input type="hidden" name="cents" value="${plan.retailCents}">
      <label>Your email<input name="email" type="email" required maxlength="200" autocomplete="email" value="${email}"></label>
      <p class="hint">Only in case we have to reach you. The page of your order is your receipt.</p>
      ${
        isSandbox
          ? html`<label>Sandbox: what happens<select name="scenario"><option value="">Delivered at once</option>
            <option value="deferred">Delivered after a minute</option><option value="failed">Fails</option></select></label>`
          : ''
      }
      <button>Pay ${dollars(plan.retailCents)}</button>
    </form></section>`,
  );

export const payPage = (shopName: string, { id, title, retail_cents }: Order, problem?: string): Html =>
  page(
    shopName,
    'Pay',
    html`<section class="narrow"><h1>Pay ${dollars(retail_cents)}</h1><p>${title}</p>
    ${problem ? html`<p class="problem" role="alert">${problem}</p>` : ''}
    <form method="post" action="/pay/${id}" autocomplete="off">
      <label>Card number<input name="card" inputmode="numeric" required maxlength="23" placeholder="4242 4242 4242 4242"></label>
      <div class="pair"><label>Valid until<input name="until" placeholder="12/30" required maxlength="7"></label>
        <label>Security code<input name="code" inputmode="numeric" placeholder="123" required maxlength="4"></label></div>
      <button>Pay ${dollars(retail_cents)}</button>
    </form>${TEST_CARDS}</section>`,
  );

/** What the customer reads, by the state of their order. */
const MESSAGES: Readonly<Record<Order['status'], readonly [title: string, text: string]>> = {
  unpaid: ['Not paid yet', 'As soon as you have paid, your eSIM is on its way.'],
  abandoned: ['Not paid in time', 'This order has expired. Nothing was charged.'],
  paid: ['Getting your eSIM', 'Your payment went through. This page shows your eSIM as soon as it is here.'],
  waiting: ['On its way', 'Your eSIM is ordered and arrives within minutes. This page shows it as soon as it is here.'],
  delivered: ['Your eSIM is ready', 'Install it now, at home on Wi-Fi. It connects when you arrive.'],
  failed: ['This did not work', 'We could not get your eSIM. Your money is on its way back to your card.'],
};

function messageOf({ status, refund, cancel, refills }: Order): readonly [string, string] {
  if (refund === 'refunded') return ['Refunded', 'The eSIM was taken back and your money returned.'];
  if (status === 'failed' && cancel !== '') return ['Cancelled', 'Your order was cancelled and your money returned.'];
  if (status === 'delivered' && refills !== '')
    return ['Data added', 'Your eSIM has more data now. There is nothing to install.'];
  return MESSAGES[status];
}

/** The page of an order that can change by itself watches for that; without scripts there is a link. */
const watching = (order: Order): Html => html`<script src="/watch.js" data-state="${stateOf(order)}"></script>
  <noscript><a class="button quiet" href="">Look again</a></noscript>`;
export const stateOf = ({ status, refund, cancel, note }: Order): string => [status, refund, cancel, note].join();
const isMoving = ({ status, refund }: Order): boolean =>
  status === 'paid' || status === 'waiting' || refund === 'requested';

const action = (order: Order, name: string, text: string): Html =>
  html`<form method="post" action="/o/${order.id}/${name}"><button class="quiet">${text}</button></form>`;

export interface OrderView {
  readonly order: Order;
  readonly payUrl: string | undefined;
  readonly refills: readonly Plan[];
  readonly added: readonly Order[];
  /** Wayfare did not answer, so this may not be the latest. */
  readonly isStale: boolean;
}

export function orderPage(shopName: string, { order, payUrl, refills, added, isStale }: OrderView): Html {
  const [title, text] = messageOf(order);
  const isInHand = order.status === 'delivered' && order.refund !== 'refunded';
  return page(
    shopName,
    title,
    html`<section class="narrow"><p class="badge ${order.refund === 'refunded' ? 'failed' : order.status}">${order.title}</p>
    <h1>${title}</h1><p>${text}</p>
    ${isStale ? html`<p class="problem" role="status">We cannot reach our network right now. We keep trying; nothing is lost.</p>` : ''}
    ${payUrl ? html`<p><a class="button" href="${payUrl}">Pay ${dollars(order.retail_cents)}</a></p>` : ''}
    ${isInHand && order.refills === '' ? html`<p><a class="button big" href="${order.share_url}" rel="noreferrer">Install your eSIM</a></p>` : ''}
    <dl class="facts"><div><dt>Paid</dt><dd>${dollars(order.status === 'unpaid' ? 0 : order.retail_cents)}</dd></div>
      ${order.returned_cents > 0 ? html`<div><dt>Returned</dt><dd>${dollars(order.returned_cents)}</dd></div>` : ''}
      <div><dt>Order</dt><dd><code>${order.id}</code></dd></div>
      <div><dt>Date</dt><dd>${order.created_at.slice(0, 16).replace('T', ' ')} UTC</dd></div>
      ${order.iccid ? html`<div><dt>ICCID</dt><dd><code>${order.iccid}</code></dd></div>` : ''}</dl>
    ${order.status === 'unpaid' || order.status === 'abandoned' ? '' : html`<p class="hint">This page is your receipt. Keep its address.</p>`}
    ${order.refund === 'requested' ? html`<p>You asked for a refund. We answer within two days.</p>` : ''}
    ${order.refund === 'rejected' ? html`<p>Your request for a refund was declined, because the eSIM was used.</p>` : ''}
    ${order.cancel === 'requested' ? html`<p>We are trying to cancel it.</p>` : ''}
    ${order.status === 'waiting' && order.cancel === '' ? action(order, 'cancel', 'Cancel the order') : ''}
    ${isInHand && order.refund === '' ? action(order, 'refund', 'Ask for a refund') : ''}
    ${isInHand && refills.length > 0 ? refillList(order, refills) : ''}
    ${added.length > 0 ? html`<h2>Added</h2><ul class="lines">${added.map(({ id, title: what }) => html`<li><a href="/o/${id}">${what}</a></li>`)}</ul>` : ''}
    ${isMoving(order) ? watching(order) : ''}</section>`,
  );
}

const refillList = (order: Order, refills: readonly Plan[]): Html => html`<h2>Need more data?</h2>
  <ul class="plans">${refills.map(
    (
      plan,
    ) => html`<li class="plan"><div><b>${plan.data}</b><span>${days(plan.days)}</span></div><strong>${dollars(plan.retailCents)}</strong>
      <a class="button" href="/o/${order.id}/refill/${plan.id}" aria-label="Add ${plan.title} for ${dollars(plan.retailCents)}">Add</a></li>`,
  )}</ul>`;
