import type { Catalog } from '../../domains/catalog/catalog.ts';
import type { Language } from '../../domains/messages/texts/texts.ts';
import type { Routes } from '../../domains/supply/routes/routes.ts';
import {
  type HelpDesk,
  helpRequests,
  helpTable,
  type KnownFacts,
  type SharedEsim,
} from '../../domains/travellers/travellers.ts';
import { Form } from '../../platform/http/form.ts';
import { splitTarget } from '../../platform/http/target.ts';
import type { Budgets } from '../../platform/limits/budget.ts';
import { isMailable } from '../../platform/settings/mail.ts';
import { isForeign } from '../site/json/browser.ts';
import { Malformed, page, type SiteReply, type SiteRequest, type SiteRoute } from '../site/routes.ts';
import { answerPage, askPage, outcomePage, questionPage } from './help-pages.ts';
import type { Page } from './page.ts';
import type { View } from './view.ts';

/** The longest address and message, each character escaped, and the form's own value. */
const MAX_BODY_BYTES = 16 * 1024;

/** A visit of a page whose link works. */
interface HelpVisit extends SiteRequest {
  readonly help: HelpDesk;
  readonly shared: SharedEsim;
  readonly language: Language;
  readonly view: View;
  /** Reads or writes for this visitor, in turn with others (`crowd.ts`). */
  inTurn<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Takes a new reading of the usage, if none was taken lately. */
  refresh(): Promise<unknown>;
}

type Symptom = KnownFacts['shows'];

export interface HelpParts {
  readonly catalog: Catalog;
  readonly panelUrl: URL;
  /** Who delivers a new eSIM, and how long it may take. */
  readonly routes: Routes;
  readonly budgets: Budgets;
  visit(path: string, methods: string, answer: (visit: HelpVisit) => SiteReply | Promise<SiteReply>): SiteRoute;
}

/**
 * "It doesn't work", below the page of an eSIM: `/help` asks what the phone shows and, with `shows`, answers; `/help/ask` is the form
 * that asks a person, `/help/replace` asks for a new eSIM.
 *
 * The pages send no referrer, so browsers may name the origin `null` when a form is sent. What proves that a form is ours is the
 * token in the address and a value in the form that only our page has; a request that names another site is refused all the same.
 */
export function helpRoutes({ catalog, panelUrl, routes, budgets, visit }: HelpParts): SiteRoute[] {
  async function factsOf({ help, shared, view, inTurn, params }: HelpVisit, shows: Symptom): Promise<KnownFacts> {
    const needsApn = view.notes.apn !== null;
    const plan = catalog.byAlias(shared.productId);
    return inTurn(`help ${params.token} ${shows}`, () => help.look(shared, { shows, needsApn, plan }));
  }

  const mayReplace = ({ shared }: HelpVisit, facts: KnownFacts): boolean =>
    shared.brand.allowsReplacement && helpTable.isWorthReplacing(facts);

  async function form(found: HelpVisit, shows: Symptom, again: Partial<Parameters<typeof askPage>[1]> = {}) {
    const facts = await factsOf(found, shows);
    const value = again.form ?? found.help.newForm(found.shared);
    return askPage(found.view, { facts, mayReplace: mayReplace(found, facts), ...again, form: value });
  }

  /** The value of our form and what was typed; a reply: the request is not from our form. */
  async function received(found: HelpVisit, shows: Symptom): Promise<SiteReply | (Typed & { form: string })> {
    if (isForeign(found.request, panelUrl)) return page(403, 'text/plain; charset=utf-8', 'Forbidden\n');
    const sent = new Form((await found.body(MAX_BODY_BYTES)).toString('latin1'));
    const typed = { email: textOf(sent, 'email').trim(), message: cleaned(textOf(sent, 'message')) };
    const name = found.help.readForm(found.shared, textOf(sent, 'form'));
    if (name !== undefined) return { ...typed, form: name };
    return shown(400, await form(found, shows, { ...typed, problem: 'sendAgain' }));
  }

  return [
    visit('/e/{token}/help', 'GET, HEAD', async (found) => {
      const shows = symptomOf(found);
      if (shows === undefined) return shown(200, questionPage(found.view));
      await found.refresh();
      return shown(200, answerPage(found.view, await factsOf(found, shows)));
    }),
    visit('/e/{token}/help/ask', 'GET, HEAD, POST', async (found) => {
      const shows = symptomOf(found) ?? 'other';
      if (found.request.method !== 'POST') return shown(200, await form(found, shows));
      const sent = await received(found, shows);
      if ('status' in sent) return sent;
      const { email, message } = sent;
      const problem =
        email !== '' && !isMailable(email)
          ? 'invalidEmail'
          : message.length > helpRequests.maxMessage
            ? 'tooLong'
            : undefined;
      if (problem) return shown(400, await form(found, shows, { email, message, problem }));
      const facts = await factsOf(found, shows);
      const wanted = { facts, form: sent.form, language: found.language, written: { email, message } };
      const outcome = await found.inTurn(`ask ${found.params.token} ${sent.form}`, () =>
        found.help.request(found.shared, wanted),
      );
      return outcome === 'sent' ? movedTo(found, '/help/sent') : shown(429, outcomePage(found.view, outcome));
    }),
    visit('/e/{token}/help/sent', 'GET, HEAD', ({ view }) => shown(200, outcomePage(view, 'sent'))),
    visit('/e/{token}/help/replace', 'POST', async (found) => {
      const shows = symptomOf(found) ?? 'other';
      const sent = await received(found, shows);
      if ('status' in sent) return sent;
      if (!mayReplace(found, await factsOf(found, shows))) return shown(409, outcomePage(found.view, 'notReplaced'));
      // Not in turn: a supplier may take seconds, and pages must not wait for it.
      const status = await found.help.replace(found.shared, { routes, budget: budgets.begin() });
      return shown(status === 'notReplaced' ? 409 : 200, outcomePage(found.view, status));
    }),
  ];
}

interface Typed {
  readonly email: string;
  readonly message: string;
}

function symptomOf({ request }: SiteRequest): Symptom | undefined {
  const given = new URLSearchParams(splitTarget(request.url ?? '').query).get('shows');
  return helpTable.symptoms.find((known) => known === given);
}

/** A field that is repeated or holds a NUL is not from a browser. */
function textOf(form: Form, name: string): string {
  const value = form.get(name) ?? '';
  if (typeof value !== 'string') throw new Malformed();
  return value;
}

/** Without characters that are not text, or that turn text around. */
const cleaned = (text: string): string =>
  text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/(?!\n)\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu, ' ')
    .trim();

const shown = (status: number, { text, headers }: Page): SiteReply =>
  page(status, 'text/html; charset=utf-8', Buffer.from(text), headers);

/** A page that was moved to can be loaded again without sending anything again. */
const movedTo = ({ view: { path, language } }: HelpVisit, below: string): SiteReply =>
  page(303, 'text/plain; charset=utf-8', '', { location: `${path}${below}?lang=${language}` });
