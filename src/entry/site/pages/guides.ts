import { readdir, readFile } from 'node:fs/promises';
import { FixedBody } from '../../../platform/http/fixed-body.ts';
import { REVALIDATED } from '../../../platform/http/headers.ts';
import type { Config } from '../../../platform/settings/config.ts';
import { fixedReply, notFound, page, type SiteRoute } from '../routes.ts';

const folder = new URL('../../../../docs/guides/', import.meta.url);
/** The addresses in the guides' examples; readers get their own installation's instead. */
const EXAMPLE = { sandbox: 'http://localhost:4010/v3', live: 'http://localhost:4020/v3' };

type Addresses = Pick<Config, 'panelUrl' | 'sandboxBaseUrl' | 'liveBaseUrl' | 'site'>;
const bare = ({ href }: URL): string => href.replace(/\/$/, '');

export async function readGuides(addresses: Addresses): Promise<ReadonlyMap<string, string>> {
  const names = (await readdir(folder)).filter((name) => /^[a-z-]+\.md$/.test(name)).sort();
  const texts = await Promise.all(names.map((name) => readFile(new URL(name, folder), 'utf8')));
  const own = (text: string) =>
    inOperatorsName(text, addresses.site.name)
      .replaceAll(EXAMPLE.sandbox, bare(addresses.sandboxBaseUrl))
      .replaceAll(EXAMPLE.live, bare(addresses.liveBaseUrl))
      .replaceAll('../img/', '/img/');
  return new Map(names.map((name, i) => [name, own(texts[i] ?? '')]));
}

/** Where a text names us, it means whoever runs this installation. Code is what it is: packages and variables keep their names. */
export function inOperatorsName(markdown: string, siteName: string): string {
  // As text: what Markdown would read as markup is escaped.
  const name = siteName.replaceAll(/[\\`*_~[\]<]|&(?=[#\w])/g, '\\$&');
  return markdown.replaceAll(/```[\s\S]*?```|`[^`\n]*`|\]\([^)]*\)|\bWayfare\b/g, (found) =>
    found === 'Wayfare' ? name : found,
  );
}

/** The pictures that the guides show, and no other file of the documents. */
function pictureRoute(guides: ReadonlyMap<string, string>): SiteRoute {
  const names = new Set([...guides.values()].flatMap((text) => text.match(/(?<=\/img\/)[\w-]+\.png/g) ?? []));
  return {
    verb: 'GET',
    path: '/img/{file}',
    async handle({ params: { file = '' } }) {
      if (!names.has(file)) return notFound;
      return page(200, 'image/png', await readFile(new URL(`../img/${file}`, folder)), {
        'cache-control': REVALIDATED,
      });
    },
  };
}

/** For machines: `/llms.txt` is an overview, and the guides are at `/guides/NAME.md` as Markdown. */
export function guideRoutes(guides: ReadonlyMap<string, string>, addresses: Addresses): SiteRoute[] {
  const files = new Map([...guides].map(([name, text]) => [name, new FixedBody(Buffer.from(text))]));
  const contents = new FixedBody(Buffer.from(contentsOf(guides, addresses)));
  return [
    { verb: 'GET', path: '/llms.txt', handle: (incoming) => fixedReply(incoming, 'text/plain', contents) },
    {
      verb: 'GET',
      path: '/guides/{file}',
      handle(incoming) {
        const file = files.get(incoming.params.file ?? '');
        return file ? fixedReply(incoming, 'text/markdown', file) : notFound;
      },
    },
    pictureRoute(guides),
  ];
}

/** In the form of llmstxt.org: a title, a summary, and lists of links. */
function contentsOf(guides: ReadonlyMap<string, string>, addresses: Addresses): string {
  const { panelUrl, sandboxBaseUrl, liveBaseUrl, site } = addresses;
  const panel = bare(panelUrl);
  const lines = [...guides].map(
    ([name, text]) => `- [${titleOf(text)}](${panel}/guides/${name}): ${firstSentence(text)}`,
  );
  return `# ${site.name}

> Travel eSIMs for resellers: a REST API to list plans, buy eSIMs from a prepaid wallet or on a credit line, read their data usage, and be notified of every change by signed webhooks.

- Sandbox: \`${bare(sandboxBaseUrl)}\`, keys begin with \`esk_test_\`. The same API with play money: try everything there first.
- Live: \`${bare(liveBaseUrl)}\`, keys begin with \`esk_\`. Purchases cost money.
- The key goes into the header \`X-API-Key\`, never into a URL. Requests with a body are forms. Answers are JSON, amounts are US dollars.
- Always send an \`idempotency_key\` with a purchase: a repeated request then charges nothing.
- Agents that speak MCP: \`POST ${panel}/mcp\` with a sandbox key, \`POST ${panel}/mcp/live\` with a live key. Buying needs a limit on what the key may spend and a confirmed price.

## Guides

${lines.join('\n')}

## Reference

- [OpenAPI description](${panel}/openapi.json): every endpoint, field, error and event, with examples
`;
}

const titleOf = (text: string): string => /^# (.+)$/m.exec(text)?.[1] ?? '';

/** Without links, which lead elsewhere from there. */
function firstSentence(text: string): string {
  const paragraph = text.split('\n\n')[1] ?? '';
  const plain = paragraph.replaceAll('\n', ' ').replace(/\[([^\]]+)\]\([^)]+\)/g, '$1');
  // Code may have dots and colons of its own.
  return /^(?:`[^`]*`|[^`])+?[.?!](?= |$)/.exec(plain)?.[0] ?? plain;
}
