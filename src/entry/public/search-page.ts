import { html } from '../../platform/contract/html.ts';
import { endpointPath, guidePath, nameOf, type PublicPage, withContents } from './document.ts';
import { plainText, shortened, slugOf } from './markdown.ts';
import { answersOf, type Description, type Entry, entriesOf, fieldsOf } from './reference/description.ts';
import { type GuideName, guideNames } from './reference/guide-names.ts';

export interface Findable {
  readonly path: string;
  readonly title: string;
  readonly about: string;
  /** In lower case: the title, and everything else that is searched. */
  readonly name: string;
  readonly text: string;
}

const MOST_RESULTS = 30;
const MOST_CHARACTERS = 100;

/** The chapters of all guides, and all endpoints and events with their fields and error codes. */
export function findables(api: Description, guides: ReadonlyMap<string, string>): Findable[] {
  const chapters = Object.entries(guideNames).flatMap(([name, [title]]) =>
    chaptersOf(name as GuideName, title, guides.get(`${name}.md`) ?? ''),
  );
  return [...entriesOf(api).map((entry) => ofEntry(api, entry)), ...chapters];
}

function chaptersOf(guide: GuideName, title: string, text: string): Findable[] {
  return text.split(/^##? /m).flatMap((part, i) => {
    const [heading = '', ...rest] = part.split('\n');
    if (heading === '') return [];
    const about = rest.join('\n').replaceAll(/```.*?```/gs, '');
    const isFirst = i <= 1;
    return {
      path: isFirst ? guidePath(guide) : `${guidePath(guide)}#${slugOf(heading)}`,
      title: isFirst ? title : `${title}: ${plainText(heading)}`,
      about: shortened(about.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1').replaceAll(/^\|.*$/gm, '')),
      name: heading.toLowerCase(),
      text: part.toLowerCase(),
    };
  });
}

function ofEntry(api: Description, entry: Entry): Findable {
  const { summary, description } = entry.operation;
  const fields = fieldsOf(api, entry).map(({ name }) => name);
  const codes = entry.isEvent ? [] : answersOf(api, entry).failures.map(({ code }) => code);
  return {
    path: endpointPath(entry),
    title: nameOf(entry),
    about: shortened(summary),
    name: nameOf(entry).toLowerCase(),
    text: [entry.path, nameOf(entry).replaceAll(/[/._]/g, ' '), summary, description, ...fields, ...codes]
      .join(' ')
      .toLowerCase(),
  };
}

/** Those with all of the words, the ones that have them in their name first. */
export function found(all: readonly Findable[], searchText: string): Findable[] {
  const words = searchText.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const weight = ({ name }: Findable) => words.filter((word) => name.includes(word)).length;
  return all
    .filter(({ text }) => words.every((word) => text.includes(word)))
    .sort((a, b) => weight(b) - weight(a))
    .slice(0, MOST_RESULTS);
}

export function searchPage(api: Description, all: readonly Findable[], query: string | null): PublicPage {
  const searchText = (query ?? '').trim().slice(0, MOST_CHARACTERS);
  const results = found(all, searchText);
  const body = html`<h1>Search</h1>
<form class="search" role="search" aria-label="Search again" action="/docs/search"><input type="search" name="q" value="${searchText}" aria-label="Words to search for" maxlength="${MOST_CHARACTERS}"><button>Search</button></form>
${
  results.length > 0
    ? html`<ul class="rows">${results.map(({ path, title, about }) => html`<li><a href="${path}">${title}</a><p>${about}</p></li>`)}</ul>`
    : html`<p>${searchText === '' ? 'Type a word: buy, usage, insufficient_balance.' : html`No guide and no endpoint has “${searchText}”.`}</p>`
}`;
  return {
    path: '/docs/search',
    title: searchText === '' ? 'Search' : `Search for ${searchText}`,
    description: 'Search the guides and the API reference.',
    body: withContents(api, '/docs/search', body),
    isListed: false,
  };
}
