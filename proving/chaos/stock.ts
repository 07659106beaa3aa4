import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Product } from './model.ts';
import type { StockImport } from './records.ts';
import { type Draw, insist, type Scene, settled } from './scene.ts';
import type { CommandOutcome } from './site.ts';
import { orderOf } from './supply.ts';
import { requireThat } from './violation.ts';

/** The check digit that makes the number of a card whole. */
function withCheckDigit(digits: string): string {
  const sum = [...digits].reverse().reduce((all, digit, i) => {
    const value = Number(digit) * (i % 2 === 0 ? 2 : 1);
    return all + (value > 9 ? value - 9 : value);
  }, 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

const newIccid = (scene: Scene): string => withCheckDigit(`8944999${String(scene.next()).padStart(11, '0')}`);

/** Imports a file of items. One of them may be in stock already: then none is taken. */
async function importFile(scene: Scene, product: Product, iccids: readonly string[]): Promise<CommandOutcome> {
  const folder = await mkdtemp(join(tmpdir(), 'wayfare-chaos-'));
  try {
    const file = join(folder, 'items.csv');
    const lines = iccids.map((iccid) => `${iccid},LPA:1$smdp.depot.example$CHAOS-${iccid}`);
    for (const iccid of iccids) scene.site.secrets.add(`CHAOS-${iccid}`);
    await writeFile(file, ['iccid,activation_code', ...lines].join('\n'));
    const words = ['stock', 'import', file, '--supplier', product.supplier, '--plan', product.code];
    return await scene.site.operator(...words);
  } finally {
    await rm(folder, { recursive: true });
  }
}

export const importItems: Draw = (scene) => {
  const { dice, model } = scene;
  const product = dice.of(model.plans.filter(({ isStock }) => isStock));
  const known = [...model.items.keys()];
  const twice = known.length > 0 && dice.chance(20) ? dice.of(known) : undefined;
  const fresh = Array.from({ length: 1 + dice.below(8) }, () => newIccid(scene));
  return {
    label: `stock import of ${fresh.length} items${twice ? ' and one that is there' : ''}`,
    async run() {
      const made: StockImport = { iccids: fresh, outcome: 'unknown' };
      model.imports.push(made);
      const ended = settled(scene, await importFile(scene, product, twice ? [...fresh, twice] : fresh), 'stock import');
      if (!ended) return;
      const isRefused = ended.outcome === 'done' && ended.result.ok === false;
      requireThat(ended.outcome === 'done' && isRefused === (twice !== undefined), 'stock import', ended);
      made.outcome = twice ? 'refused' : 'made';
    },
  };
};

/** Enough for every order that waits. */
export async function restock(scene: Scene): Promise<void> {
  const { model } = scene;
  for (const product of model.plans.filter(({ isStock }) => isStock)) {
    const waiting = model.living.open.filter((order) => order.world === 'live' && order.product === product);
    const iccids = Array.from({ length: waiting.length + 1 }, () => newIccid(scene));
    const ended = await importFile(scene, product, iccids);
    requireThat(ended.outcome === 'done' && ended.result.ok !== false, 'stock import failed', ended);
    model.imports.push({ iccids, outcome: 'made' });
  }
}

/** The operator takes an item off sale, or puts one back. A sold item belongs to its order. */
export const setAside: Draw = (scene) => {
  const { dice, model, site } = scene;
  const items = [...model.items.values()];
  if (items.length === 0) return undefined;
  const item = dice.of(items);
  const action = dice.of(['discard', 'release', 'release'] as const);
  const words = ['stock', action, item.iccid];
  return {
    label: words.join(' '),
    alone: [`item ${item.iccid}`],
    async run() {
      item.touched = action;
      const ask = async () => {
        const ended = settled(scene, await site.operator(...words), words.join(' '));
        if (ended?.outcome === 'refused')
          requireThat(
            ended.code === 'item_in_use' && ['available', 'sold'].includes(item.state),
            words.join(' '),
            ended,
          );
        // It may have been returned in this round, and then discarded.
        const isBack = model.order('live', orderOf(item))?.withdrawal !== 'no';
        if (ended?.outcome === 'done' && action === 'discard')
          requireThat(item.state !== 'sold' || isBack, 'an item that was sold was discarded', item);
        return ended;
      };
      if (!(await ask())) scene.later(() => insist(words.join(' '), ask).then(() => {}));
    },
  };
};
