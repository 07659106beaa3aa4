import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { invoiceXml } from '../src/domains/billing/invoices/documents/invoice-xml.ts';
import { outside, outsideFile, outsideMissing } from './support/debian/outside.ts';
import { documentCases } from './support/sales/invoice-documents.ts';

/*
 * `npm run test:en16931`: holds an XML document of every kind against the official rules of EN 16931 for UBL. They are under a licence of
 * their own (EUPL) and on no registry, so they are no part of this repository: they are read from GitHub, or from the file that is named
 * (`-- PATH`). Compiling them takes half a minute.
 */
const RELEASE = '1.3.16';
const RULES = `https://raw.githubusercontent.com/ConnectingEurope/eInvoicing-EN16931/validation-${RELEASE}/ubl/xslt/EN16931-UBL-validation.xslt`;
const SHA256 = '39f9d282867f1a49e7708d9e29a53da89643e1ee56f10cec1ebcf1277595fcbd';

async function downloaded(): Promise<Uint8Array> {
  const answer = await fetch(RULES);
  if (!answer.ok) throw new Error(`${RULES}: ${answer.status}`);
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const hash = createHash('sha256').update(bytes).digest('hex');
  if (hash !== SHA256) throw new Error(`${RULES} is another file than the one that was judged by: ${hash}`);
  return bytes;
}

/** What the rules find, warnings included, as the report words it. */
function findingsIn(report: string): string[] {
  if (!report.includes('svrl:fired-rule')) throw new Error('no rule was applied');
  return [
    ...report.matchAll(/<svrl:(?:failed-assert|successful-report)[\s\S]*?<svrl:text>([\s\S]*?)<\/svrl:text>/g),
  ].map(([, text = '']) => text.trim());
}

const missing = await outsideMissing();
if (missing !== undefined) throw new Error(missing);
const [given] = process.argv.slice(2);
const folder = await mkdtemp(join(tmpdir(), 'en16931-'));
try {
  const [rules, compiled] = [join(folder, 'rules.xslt'), join(folder, 'rules.sef.json')];
  await writeFile(rules, given === undefined ? await downloaded() : await readFile(given));
  const compile = [outsideFile('xslt3/xslt3.js'), `-xsl:${rules}`, `-export:${compiled}`, '-nogo'];
  await promisify(execFile)(process.execPath, compile);
  const stylesheetText = await readFile(compiled, 'utf8');
  let found = 0;
  const cases = documentCases();
  for (const [name, document] of cases) {
    const sourceText = new TextDecoder().decode(invoiceXml(document));
    const { principalResult } = outside('saxon-js').transform({
      stylesheetText,
      sourceText,
      destination: 'serialized',
    });
    for (const finding of findingsIn(principalResult)) {
      found += 1;
      console.log(`${name}: ${finding}`);
    }
  }
  console.log(`${cases.length} documents, ${found} findings`);
  process.exitCode = found === 0 ? 0 : 1;
} finally {
  await rm(folder, { recursive: true });
}
