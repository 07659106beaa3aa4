import type { PanelCalls } from '../../../src/entry/panel/api.ts';
import { type Piece, piecesOf } from '../../../src/entry/public/highlight.ts';
import { type Call, callOf, languages, sampleOf } from '../../../src/entry/public/reference/samples.ts';

/**
 * What a page of the public reference has for somebody who is signed in and may develop: their sandbox key in the samples, and a form
 * that makes the call. The page itself is the same for everybody; it loads this file where somebody has used the panel.
 */
const form = document.querySelector<HTMLFormElement>('form.try');
if (form) void open(form);

type Field = HTMLInputElement | HTMLSelectElement;
interface Refusal {
  readonly error?: { readonly message: string };
}

async function open(form: HTMLFormElement): Promise<void> {
  const own = await post('/api/sandbox/sample-key');
  if (!('key' in own)) return;
  forgetWithSession();
  document.querySelector('.top .doors')?.replaceChildren(linkTo('/', 'Open the panel'));
  const key = form.querySelector<HTMLInputElement>('#try-key') as HTMLInputElement;
  // Another one for each visit: a key that was used before would only return its order again.
  const once = form.querySelector<HTMLInputElement>('[name=idempotency_key]');
  if (once) once.value = `try-${Date.now().toString(36)}`;
  if (own.key !== null) {
    key.value = own.key;
    const named = own.name === '' ? '' : ` “${own.name}”`;
    say(`The samples contain your sandbox key${named}. Only owners and developers of your account see it here.`);
    form.addEventListener('input', () => fillSamples({ ...callIn(form), key: own.key ?? undefined }));
    fillSamples({ ...callIn(form), key: own.key });
  } else form.addEventListener('input', () => fillSamples(callIn(form)));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void send(form, key.value.trim());
  });
  form.hidden = false;
}

/** The key is removed when the person signs out in another tab, and is not restored when they come back to the page. */
function forgetWithSession(): void {
  new BroadcastChannel('wayfare-session').onmessage = () => location.reload();
  addEventListener('pageshow', ({ persisted }) => persisted && location.reload());
}

function linkTo(href: string, text: string): HTMLAnchorElement {
  const link = document.createElement('a');
  link.href = href;
  link.textContent = text;
  return link;
}

function say(text: string): void {
  const place = document.querySelector('#key');
  if (place) place.textContent = text;
}

function fillSamples(call: Call): void {
  document.querySelectorAll('.samples .sample code').forEach((code, at) => {
    const language = languages[at];
    if (language) code.replaceChildren(...piecesOf(sampleOf(language, call)).map(coloured));
  });
}

function coloured({ text, kind }: Piece): Element | string {
  if (kind === undefined) return text;
  const made = document.createElement('i');
  made.className = kind;
  made.textContent = text;
  return made;
}

const fieldsIn = (form: HTMLFormElement) =>
  [...form.querySelectorAll<Field>('[name]')].map(({ name, value, dataset }) => ({
    name,
    value: value.trim(),
    place: dataset.place as 'path' | 'query' | 'form',
  }));

function callIn(form: HTMLFormElement): Call {
  const { base = '', path = '', verb } = form.dataset;
  const fields = fieldsIn(form);
  const values = Object.fromEntries(fields.map(({ name, value }) => [name, value]));
  return callOf({ verb: verb as Call['verb'], path }, fields, values, base);
}

async function send(form: HTMLFormElement, key: string): Promise<void> {
  const [button, result] = [form.querySelector('button'), form.querySelector('[role=status]')];
  if (!button || !result) return;
  button.disabled = true;
  const path = form.dataset.path?.replace(/\/\{.*/, '') ?? '';
  const param = fieldsIn(form).find(({ place }) => place === 'path')?.value ?? '';
  const fields = Object.fromEntries(callIn(form).fields);
  result.replaceChildren(...shown(await post('/api/sandbox/try', { key, path, param, fields })));
  button.disabled = false;
}

function shown(answer: PanelCalls['POST /api/sandbox/try']['answer'] | Refusal): Element[] {
  if (!('body' in answer)) return [element('p', answer.error?.message ?? 'The server cannot be reached. Try again.')];
  const request = answer.headers['x-request-id'];
  const status = element(
    'p',
    `${answer.status}, ${answer.ms} ms${request === undefined ? '' : `, request ${request}`}`,
  );
  status.className = 'status';
  const body = element('pre', pretty(answer.body));
  body.tabIndex = 0;
  return [status, body, ...(answer.is_cut ? [element('p', 'The answer is long. This is its beginning.')] : [])];
}

function element<T extends 'p' | 'pre'>(tag: T, text: string): HTMLElementTagNameMap[T] {
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

async function post<Path extends '/api/sandbox/sample-key' | '/api/sandbox/try'>(
  path: Path,
  body?: PanelCalls[`POST ${Path}`]['body'],
): Promise<PanelCalls[`POST ${Path}`]['answer'] | Refusal> {
  const key = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16)).join('-');
  const headers = { 'content-type': 'application/json', 'idempotency-key': key };
  const answer = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body ?? {}) }).catch(
    () => undefined,
  );
  return ((await answer?.json().catch(() => undefined)) ?? {}) as PanelCalls[`POST ${Path}`]['answer'] | Refusal;
}
