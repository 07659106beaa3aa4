import { endRule, setRule, useData } from './autorefilling.ts';
import { batch } from './batches.ts';
import { cancel } from './cancels.ts';
import { clickMoney, clickRefund } from './clicks.ts';
import { malform, pryOpen, useRevoked } from './foreign.ts';
import { askForHelp } from './helps.ts';
import { misreceive, pauseOrResume, testEvent } from './hooks.ts';
import { playPhone, switchService } from './phones.ts';
import { purchase, refill } from './purchases.ts';
import { detail, list, money, usage } from './reads.ts';
import { approve, askBack, giveBack, reject } from './refunds.ts';
import { approveReplacement, grantReplacements, rejectReplacement, replace } from './replacing.ts';
import { useRestricted } from './restricted.ts';
import { changeBalance, reset, turnClock } from './sandbox.ts';
import type { Draw, Operation, Scene } from './scene.ts';
import { limitCredit, misbehave, replaceKey, reprice, suspend, switchBilling, takeOffSale } from './settings.ts';
import { settle, useUp } from './shares.ts';
import { importItems, setAside } from './stock.ts';
import { confirmTopup, payTopup, startTopup } from './topups.ts';
import { adjust, credit, giveUp, payment } from './wallets.ts';

/** How often each is drawn. */
const weights: readonly (readonly [Draw, number])[] = [
  [purchase, 40],
  [batch, 8],
  [refill, 8],
  [detail, 10],
  [list, 4],
  [usage, 3],
  [money, 8],
  [startTopup, 4],
  [payTopup, 4],
  [confirmTopup, 5],
  [credit, 5],
  [adjust, 2],
  [payment, 4],
  [giveBack, 3],
  [askBack, 8],
  [cancel, 6],
  [approve, 3],
  [reject, 2],
  [giveUp, 2],
  [suspend, 3],
  [limitCredit, 3],
  [switchBilling, 1],
  [reprice, 1],
  [takeOffSale, 1],
  [misbehave, 4],
  [replaceKey, 1],
  [reset, 1],
  [changeBalance, 2],
  [turnClock, 2],
  [useUp, 3],
  [settle, 1],
  [pauseOrResume, 2],
  [misreceive, 3],
  [testEvent, 1],
  [pryOpen, 5],
  [malform, 4],
  [useRevoked, 1],
  [useRestricted, 6],
  [importItems, 3],
  [setAside, 2],
  [clickMoney, 5],
  [clickRefund, 2],
  [switchService, 6],
  [playPhone, 4],
  [replace, 10],
  [approveReplacement, 4],
  [rejectReplacement, 2],
  [grantReplacements, 2],
  [setRule, 12],
  [endRule, 1],
  [useData, 10],
  [askForHelp, 4],
];
const draws = weights.flatMap(([draw, weight]) => Array<Draw>(weight).fill(draw));

const SIZES = [1, 1, 2, 4, 8, 16];

/** The operations of one round. An operation that conflicts with another's exclusive names is left out. */
export function drawRound(scene: Scene, faulted: boolean, crowd: number): Operation[] {
  const size = crowd * (faulted ? 16 : scene.dice.of(SIZES));
  const alone = new Set<string>();
  const beside = new Set<string>(faulted ? ['fault'] : []);
  const drawn: Operation[] = [];
  for (let n = 0; n < size; n++) {
    const operation = scene.dice.of(draws)(scene);
    if (!operation) continue;
    const mine = operation.alone ?? [];
    const shared = operation.beside ?? [];
    if (mine.some((name) => alone.has(name) || beside.has(name)) || shared.some((name) => alone.has(name))) continue;
    for (const name of mine) alone.add(name);
    for (const name of shared) beside.add(name);
    drawn.push(operation);
  }
  return drawn;
}
