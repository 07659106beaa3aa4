import type { Language } from '../../../src/domains/messages/texts/texts.ts';
import { decide, type HelpFacts, type Step, table } from '../../../src/domains/travellers/help/decision.ts';
import type { Brand } from '../../../src/domains/travellers/travellers.ts';
import { answerPage, askPage, outcomePage, questionPage } from '../../../src/entry/traveller/help-pages.ts';
import { sampleView } from '../../../src/entry/traveller/preview.ts';
import type { View } from '../../../src/entry/traveller/view.ts';

/** An eSIM that ought to work. */
const fine: HelpFacts = {
  ...{ shows: 'other', isDelivered: true, hasEnded: false, isSuspended: false, profile: 'enabled', wasUsed: true },
  ...{ isCovered: true, hasDataLeft: true, isSupplierDown: false, needsApn: false },
};

/** What a row of the table asks for, and otherwise an eSIM that ought to work. */
const factsOf = (when: (typeof table)[number]['when']): HelpFacts => ({
  ...fine,
  ...Object.fromEntries(Object.entries(when).map(([fact, wanted]) => [fact, [wanted].flat()[0]])),
});

/** Every page of "It doesn't work", by name: the question, each answer once, the form and how it can end. */
export function helpPages(brand: Brand, language: Language, now: number, device: View['device'] = 'iphone') {
  const sample = sampleView({ brand, language, state: 'not_active', now });
  const view: View = {
    ...sample,
    device,
    path: '/e/sample',
    shared: { ...sample.shared, takesRefills: true },
    notes: { ...sample.notes, apn: 'travel.example' },
  };
  const answers = new Map<Step, string>();
  for (const { when } of table) {
    const facts = factsOf(when);
    if (!answers.has(decide(facts))) answers.set(decide(facts), answerPage(view, facts).text);
  }
  const form = { facts: fine, form: 'sample', mayReplace: true };
  return new Map<string, string>([
    ['question', questionPage(view).text],
    ...answers,
    ['form', askPage(view, { ...form, problem: 'invalidEmail', email: 'kim', message: 'No bars' }).text],
    ...(['sent', 'limit', 'replaced', 'replaceRequested', 'notReplaced'] as const).map(
      (outcome) => [outcome, outcomePage(view, outcome).text] as const,
    ),
  ]);
}

const quoted = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

/** All of them on one sheet of 6 by 4 phones. */
export const sheetOf = (pages: ReadonlyMap<string, string>): string =>
  `<!doctype html><body style="margin:0;padding:10px;display:grid;grid-template-columns:repeat(6,390px);gap:10px;zoom:.5;background:#8a949e">${[
    ...pages.values(),
  ]
    .map((text) => `<iframe style="border:0;width:390px;height:660px" srcdoc="${quoted(text)}"></iframe>`)
    .join('')}</body>`;
