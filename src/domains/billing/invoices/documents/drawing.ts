import { Worker } from 'node:worker_threads';
import { MINUTE, SECOND } from '../../../../platform/clock.ts';
import { TooManyAttempts } from '../../../../platform/contract/refused.ts';
import { bounded } from '../../../../platform/limits/turns.ts';
import type { InvoiceDocument } from '../document.ts';
import type { TopupReceipt } from './receipt-pdf.ts';
import type { DocumentBrand } from './sheet.ts';

/*
 * PDFs are drawn on a thread of their own, one at a time: a page takes about 0.1 s and a document of 3,000 lines seconds, in which the main
 * thread would answer nobody. The thread is started for the first drawing and ends when none was wanted for a while, and with it goes the
 * memory for pdfkit and the fonts. The main thread loads neither.
 */
export type Drawing = { readonly brand: DocumentBrand } & (
  | { readonly document: InvoiceDocument }
  | { readonly receipt: TopupReceipt }
);

/** Same bytes for the same document and brand. */
export const invoicePdf = (document: InvoiceDocument, brand: DocumentBrand): Promise<Uint8Array> =>
  drawn({ document, brand });

/** A receipt for a top-up by card, which is not an invoice and says so. */
export const receiptPdf = (receipt: TopupReceipt, brand: DocumentBrand): Promise<Uint8Array> =>
  drawn({ receipt, brand });

const MAX_WAITING = 100;
const BUSY_RETRY_SECONDS = 5;
/** Longer than any drawing. */
const LIMIT_MS = 1 * MINUTE;
const IDLE_MS = 30 * SECOND;
const MAX_MEMORY_MB = 512;
const inTurn = bounded({ atOnce: 1, maxWaiting: MAX_WAITING }, () => new TooManyAttempts(BUSY_RETRY_SECONDS));

const drawn = (drawing: Drawing): Promise<Uint8Array> => inTurn(() => onThread(drawing));

let thread: Worker | undefined;
let idle: NodeJS.Timeout | undefined;

function onThread(drawing: Drawing): Promise<Uint8Array> {
  clearTimeout(idle);
  thread ??= started();
  const mine = thread;
  mine.ref();
  return new Promise<Uint8Array>((resolve, reject) => {
    // By name: `removeAllListeners()` would also remove those with which Node delivers the messages.
    const settle = () => {
      clearTimeout(limit);
      mine.off('message', onMessage).off('error', fail).off('exit', onExit);
    };
    const fail = (error: unknown) => {
      settle();
      thread = undefined;
      void mine.terminate();
      reject(error);
    };
    const onMessage = (pdf: Uint8Array) => {
      settle();
      rest(mine);
      resolve(pdf);
    };
    const onExit = () => fail(new Error('the thread that draws ended'));
    const limit = setTimeout(() => fail(new Error('drawing took too long')), LIMIT_MS);
    mine.on('message', onMessage).on('error', fail).on('exit', onExit);
    mine.postMessage(drawing);
  });
}

function started(): Worker {
  const worker = new Worker(new URL('./pdf-worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB },
  });
  // One that ends while it is idle is replaced; without a listener its error would end the process.
  return worker
    .on('error', () => undefined)
    .on('exit', () => {
      if (thread === worker) thread = undefined;
    });
}

/** An idle thread keeps neither the process nor itself alive. */
function rest(worker: Worker): void {
  worker.unref();
  idle = setTimeout(() => {
    thread = undefined;
    void worker.terminate();
  }, IDLE_MS).unref();
}
