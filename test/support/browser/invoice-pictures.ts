import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { TestClock } from '../clock.ts';
import { debianBinary } from '../debian/debian.ts';
import { signedInOperator } from '../program/console.ts';
import { run } from '../program/operator.ts';
import { signedIn } from '../program/panel.ts';
import { type PanelStage, panelStage } from '../program/panel-stage.ts';
import { closeAll, giveBack, invoicing, pay, sell } from '../sales/invoices.ts';
import { addresses, browserOf, camera, loaded } from './camera.ts';

const beginOf = (month: string) => Date.parse(`${month}-01T01:00:00Z`);
const noon = (day: string) => new Date(`2026-${day}T12:00:00Z`);

interface Invoiced {
  /** On credit terms, with an invoice in every state, a credit note and billing details. */
  readonly alpine: number;
  /** Prepaid. */
  readonly balkan: number;
  /** An open one of Alpine's. */
  readonly number: string;
}

/** Four months of two partners. The clock stands at the twentieth of January. */
async function invoicedMonths({ t }: PanelStage, clock: TestClock): Promise<Invoiced> {
  clock.freeze(beginOf('2026-09'));
  const alpine = await t.partner({ name: 'Alpine Travel', email: 'ops@alpine.example' });
  const balkan = await t.partner({ name: 'Balkan Roads', email: 'ops@balkan.example' });
  await run(t.operator(), `partner set ${alpine} --billing postpaid --credit-limit 5000`);
  await run(t.operator(), [
    ...['partner', 'set', `${alpine}`, '--legal-name', 'Alpine Travel GmbH'],
    ...['--billing-address', 'Getreidegasse 9|5020 Salzburg', '--billing-country', 'AT', '--vat-id', 'ATU12345678'],
    ...['--billing-email', 'accounts@alpine.example'],
  ]);
  await sell(t, alpine, { price: 450n, at: noon('09-10') });
  const early = await sell(t, alpine, { price: 2_600n, at: noon('10-10'), book: 'debt' });
  for (const [day, price, title] of [
    ['10-11', 3_900n, 'Japan 10 GB, 30 days'],
    ['10-12', 3_900n, 'Japan 10 GB, 30 days'],
    ['11-03', 5_200n, 'United States 20 GB, 30 days'],
    ['11-20', 3_900n, 'Japan 10 GB, 30 days'],
    ['12-09', 1_450n, 'Italy 5 GB, 15 days'],
    ['12-24', 3_900n, 'Japan 10 GB, 30 days'],
    ['12-28', 3_900n, 'Japan 10 GB, 30 days'],
  ] as const)
    await sell(t, alpine, { price, at: noon(day), book: 'debt', title });
  for (const day of ['10-02', '11-02', '12-02']) await sell(t, balkan, { price: 1_900n, at: noon(day) });
  for (const month of ['2026-10', '2026-11', '2026-12']) {
    clock.freeze(beginOf(month));
    await closeAll(t);
  }
  await pay(t, alpine, 10_400n, noon('12-20'));
  await giveBack(t, alpine, early, { at: noon('12-21'), amount: 600n });
  clock.freeze(beginOf('2027-01'));
  await closeAll(t);
  clock.freeze(Date.parse('2027-01-20T09:00:00Z'));
  const { invoices } = t.base.worlds.live;
  await invoices.settleDue();
  const rows = await invoices.list({ partnerId: alpine, month: '2026-12', limit: 9 });
  return { alpine, balkan, number: rows.find(({ kind }) => kind === 'invoice')?.number ?? '' };
}

/** What accountants see: the list, a document, the file itself, and what the operator has of all partners. */
export async function takeInvoices(): Promise<void> {
  const clock = new TestClock();
  await using stage = await panelStage({ clock, config: { ...addresses, invoicing } });
  const { t, url } = stage;
  const { alpine, number } = await invoicedMonths(stage, clock);
  const picture = camera(stage, clock);
  const ana = await signedIn(t, alpine, 'ana@alpine.example');
  const kim = await signedInOperator(t, 'admin', 'kim@operator.example');
  const view = { viewport: { width: 1280, height: 860 }, colorScheme: 'light' as const };
  const panel = { ...view, storageState: browserOf(url, ana.cookie) };
  const desk = { ...view, storageState: browserOf(url, kim.cookie) };
  await picture('panel-invoices', '/live/invoices', panel, loaded);
  await picture('panel-invoice', `/live/invoices/${number}`, panel, loaded);
  await picture('console-invoices', '/operator/invoices', desk, loaded);
  await picture('console-invoice', `/operator/invoices/${number}`, desk, loaded);
  const found = await t.base.worlds.live.invoices.find(number);
  if (found) await takePage('invoice-pdf', await t.base.worlds.live.invoices.pdf(found));
}

/** The first page of a PDF. */
async function takePage(name: string, pdf: Uint8Array): Promise<void> {
  const { path, env } = await debianBinary('pdftotext');
  const folder = await mkdtemp(join(tmpdir(), 'picture-'));
  try {
    const file = join(folder, 'page.pdf');
    await writeFile(file, pdf);
    const target = fileURLToPath(new URL(`../../../docs/img/${name}`, import.meta.url));
    const args = ['-png', '-r', '80', '-singlefile', '-H', '560', file, target];
    await promisify(execFile)(join(dirname(path), 'pdftoppm'), args, { env: { ...process.env, ...env } });
    console.log(`docs/img/${name}.png`);
  } finally {
    await rm(folder, { recursive: true });
  }
}
