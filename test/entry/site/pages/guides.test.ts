import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { type TestApp, testApp } from '../../../support/program/app.ts';
import { freePort } from '../../../support/program/ports.ts';

let t: TestApp;
let panel: string;
before(async () => {
  const port = await freePort();
  panel = `http://localhost:${port}`;
  t = await testApp({
    config: { listenPorts: [port], panelUrl: new URL(panel), sandboxBaseUrl: new URL('https://sandbox.shop.test/v3') },
  });
});
after(() => t[Symbol.asyncDispose]());

const linksIn = (text: string) => [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);

test('every link in /llms.txt, and in the guides it leads to, leads somewhere', async () => {
  const answer = await fetch(`${panel}/llms.txt`);
  assert.equal(answer.status, 200);
  assert.match(answer.headers.get('content-type') ?? '', /^text\/plain/);
  const text = await answer.text();
  const links = linksIn(text);
  const guides = await readdir('docs/guides');
  for (const name of guides) assert.ok(links.includes(`${panel}/guides/${name}`), name);
  assert.ok(links.includes(`${panel}/openapi.json`));
  const followed = new Set<string>();
  for (const link of links) {
    const target = await fetch(link);
    assert.equal(target.status, 200, link);
    if (!link.endsWith('.md')) continue;
    assert.match(target.headers.get('content-type') ?? '', /^text\/markdown/);
    for (const next of linksIn(await target.text())) followed.add(new URL(next, link).href.replace(/#.*/, ''));
  }
  for (const link of followed) if (link.startsWith(panel)) assert.equal((await fetch(link)).status, 200, link);
});

test('what /llms.txt says of this installation is true', async () => {
  const text = await (await fetch(`${panel}/llms.txt`)).text();
  assert.match(text, /`https:\/\/sandbox\.shop\.test\/v3`/);
  for (const [, address = ''] of text.matchAll(/`POST (\S+)`/g)) {
    const { status } = await fetch(address, { method: 'POST', body: '{}' });
    assert.equal(status, 401, `${address} asks for a key`);
  }
  const guide = await (await fetch(`${panel}/guides/first-purchase.md`)).text();
  assert.match(guide, /WAYFARE_URL=https:\/\/sandbox\.shop\.test\/v3/);
  assert.doesNotMatch(guide, /localhost:4010/);
});

test('/llms.txt says of each guide what its first sentence says, whole', async () => {
  const text = await (await fetch(`${panel}/llms.txt`)).text();
  const said = [...text.matchAll(/\/guides\/([\w-]+\.md)\): (.+)$/gm)];
  assert.equal(said.length, (await readdir('docs/guides')).length);
  for (const [, name = '', sentence = ''] of said) {
    const written = await readFile(`docs/guides/${name}`, 'utf8');
    const plain = written.replaceAll('\n', ' ').replace(/\[([^\]]+)\]\([^)]+\)/g, '$1');
    assert.ok(plain.includes(`  ${sentence} `), `${name} does not begin with: ${sentence}`);
    assert.match(sentence, /^[A-Z].+\.$/);
    assert.equal(sentence.split('`').length % 2, 1, `cut inside code: ${sentence}`);
  }
});

test('they are kept by clients, which ask whether they have changed; other files do not exist', async () => {
  for (const path of ['/llms.txt', '/guides/errors.md']) {
    const etag = (await fetch(panel + path)).headers.get('etag') ?? '';
    assert.equal((await fetch(panel + path, { headers: { 'if-none-match': etag } })).status, 304);
  }
  for (const path of ['/guides/none.md', '/guides/..%2Foperating.md', '/guides/'])
    assert.ok([400, 404].includes((await fetch(panel + path, { headers: { accept: '*/*' } })).status), path);
});
