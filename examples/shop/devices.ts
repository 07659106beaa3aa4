import { html } from 'hono/html';
import { type Html, page } from './page.ts';
import type { Schemas, Wayfare } from './sdk.ts';

type Device = Schemas['Device'];

const FRESH_MS = 24 * 3_600_000;
const SHOWN = 12;

/** Phones and tablets that take an eSIM: fetched once a day, so customers who type cost no calls. */
export class Devices {
  readonly #wayfare: Wayfare;
  #list: readonly Device[] = [];
  #askedAt = 0;

  constructor(wayfare: Wayfare) {
    this.#wayfare = wayfare;
  }

  async find(model: string): Promise<readonly Device[]> {
    if (Date.now() - this.#askedAt > FRESH_MS) {
      this.#list = (await this.#wayfare.catalog.devices()).devices;
      this.#askedAt = Date.now();
    }
    const words = model.toLowerCase().split(/\s+/).filter(Boolean);
    return this.#list.filter(({ brand, model: name }) =>
      words.every((word) => `${brand} ${name}`.toLowerCase().includes(word)),
    );
  }
}

export const phoneForm = (
  model = '',
): Html => html`<form class="search" action="/phone"><label for="model">Your phone’s model</label>
  <div><input id="model" name="model" value="${model}" placeholder="Galaxy S24" required maxlength="60" autocomplete="off"><button>Check</button></div></form>`;

/** What the list says, and how to be sure: a model may be missing, and some countries’ variants have no eSIM. */
export function phonePage(shopName: string, model: string, found: readonly Device[]): Html {
  const rest = found.length - SHOWN;
  const answer =
    model === ''
      ? ''
      : html`<div role="status">${
          found.length > 0
            ? html`<h2>These models take eSIMs</h2><ul>${found.slice(0, SHOWN).map(({ brand, model: name }) => html`<li>${brand} ${name}</li>`)}</ul>
              ${rest > 0 ? html`<p>And ${rest} more. Type more of the name.</p>` : ''}`
            : html`<h2>Not on our list</h2>`
        }<p>To be sure, dial <code>*#06#</code>: if it shows an EID, the phone takes eSIMs. It must not be locked to an operator.</p></div>`;
  return page(
    shopName,
    'Does your phone take eSIMs?',
    html`<section class="narrow"><h1>Does your phone take eSIMs?</h1>${phoneForm(model)}${answer}</section>`,
  );
}
