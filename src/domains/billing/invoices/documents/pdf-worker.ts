import { parentPort } from 'node:worker_threads';
import type { Drawing } from './drawing.ts';
import { drawInvoice } from './invoice-pdf.ts';
import { drawReceipt } from './receipt-pdf.ts';

/** The thread that draws; see `drawing.ts`. An error ends the thread and rejects the drawing that is waited for. */
parentPort?.on('message', async (drawing: Drawing) => {
  const { brand } = drawing;
  const pdf =
    'document' in drawing ? await drawInvoice(drawing.document, brand) : await drawReceipt(drawing.receipt, brand);
  parentPort?.postMessage(pdf);
});
