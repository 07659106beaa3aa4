import { html } from 'hono/html';
import type { Destination } from './catalog.ts';
import { dollars } from './money.ts';
import type { Report } from './nightly.ts';
import { type Html, page } from './page.ts';
import type { Order } from './store.ts';

export interface AdminView {
  readonly orders: readonly Order[];
  readonly report: Report | undefined;
  /** Undefined if Wayfare does not answer. */
  readonly balance: number | undefined;
}

export const adminPage = (shopName: string, { orders, report, balance }: AdminView): Html =>
  page(
    shopName,
    'Admin',
    html`<h1>Admin</h1>
    <p>${balance === undefined ? html`<b class="problem">Wayfare does not answer.</b>` : html`You can spend <b>$${balance.toFixed(2)}</b> at Wayfare.`}
</p>
    <a class="button" href="/admin/group">Buy for a group</a>
    <section><h2>Reconciliation</h2>${report ? reportView(report) : html`<p>Not run yet.</p>`}
      <form method="post" action="/admin/nightly"><button class="quiet">Compare today with Wayfare</button></form></section>
    <section><h2>Latest orders</h2>
    ${
      orders.length === 0
        ? html`<p>No orders yet.</p>`
        : html`<div class="scroll" tabindex="0" role="region" aria-label="Latest orders"><table>
          <thead><tr><th>Plan</th><th>Status</th><th class="num">Paid</th><th class="num">Cost</th><th class="num">Returned</th><th>When</th></tr></thead>
          <tbody>${orders.map(row)}</tbody></table></div>`
    }</section>`,
  );

const row = (
  order: Order,
): Html => html`<tr><td><a href="/o/${order.id}">${order.title}</a>${order.batch ? ' (group)' : ''}${order.refills ? ' (refill)' : ''}</td>
  <td><span class="badge ${order.refund === 'refunded' ? 'failed' : order.status}">${order.refund === 'refunded' ? 'refunded' : order.status}</span>
    ${order.refund === 'requested' ? 'refund requested' : ''} ${order.note}</td>
  <td class="num">${dollars(order.retail_cents)}</td><td class="num">${dollars(costOf(order))}</td>
  <td class="num">${dollars(order.returned_cents)}</td><td>${time(order.created_at)}</td></tr>`;

/** What is left of the price; a failed order was refunded in full. */
const costOf = ({ status, cost_cents, refunded_cents }: Order): number =>
  status === 'failed' ? 0 : cost_cents - refunded_cents;

const time = (text: string): string => text.slice(0, 16).replace('T', ' ');

const reportView = ({ from, to, orders, chargedCents, refundedCents, differences }: Report): Html => html`
  <p>${time(from)} to ${time(to)} UTC: ${orders} orders, charged ${dollars(chargedCents)}, given back ${dollars(refundedCents)}.</p>
  ${
    differences.length === 0
      ? html`<p class="good">No differences.</p>`
      : html`<p class="problem">Differences: ${differences.length}</p>
        <ul class="lines">${differences.map(({ order, what }) => html`<li><code>${order || 'no reference'}</code> ${what}</li>`)}</ul>`
  }`;

export interface GroupView {
  readonly all: readonly Destination[];
  readonly chosen: Destination | undefined;
  readonly batchId: string;
}

/** First where to, then which plan and how many. */
export const groupPage = (shopName: string, { all, chosen, batchId }: GroupView): Html =>
  page(
    shopName,
    'Buy for a group',
    html`<section class="narrow"><a class="back" href="/admin">Admin</a><h1>Buy for a group</h1>
    <form><label>Destination<select name="to">${all.map(
      ({ code, place }) => html`<option value="${code}" ${code === chosen?.code ? 'selected' : ''}>${place}</option>`,
    )}</select></label><button class="quiet">Show its plans</button></form>
    ${
      chosen
        ? html`<form method="post" action="/admin/group"><input type="hidden" name="batch" value="${batchId}">
          <label>Plan<select name="plan">${chosen.plans.map(
            ({ id, title, retailCents }) => html`<option value="${id}">${title}, ${dollars(retailCents)} each</option>`,
          )}</select></label>
          <label>How many<input name="quantity" type="number" min="1" max="100" value="20" required></label>
          <label>Email of the company<input name="email" type="email" required maxlength="200"></label>
          <button>Buy</button></form>`
        : ''
    }</section>`,
  );
