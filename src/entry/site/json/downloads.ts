import { MINUTE } from '../../../platform/clock.ts';
import { TooManyAttempts } from '../../../platform/contract/refused.ts';
import { NOT_STORED } from '../../../platform/http/headers.ts';
import { StreamedBody } from '../../../platform/http/streamed-body.ts';
import { page, type SiteReply } from '../routes.ts';
import { csvPieces, type Download, jsonPieces } from './csv.ts';

/** A partner's downloads at the same time, and those of all partners, in this process. Each reads the database page by page. */
const AT_ONCE_PER_PARTNER = 2;
const AT_ONCE = 16;
/** The longest a download may take; a client that reads a byte now and then would keep its place forever. */
const LIMIT_MS = 15 * MINUTE;
const BUSY_RETRY_SECONDS = 10;
const HEADERS = { 'cache-control': NOT_STORED, vary: 'cookie' } as const;

/** The files being downloaded from this process. */
export class Downloads {
  readonly #running = new Map<string, number>();
  #all = 0;

  /** Throws `TooManyAttempts` when the account, or everybody together, is downloading as much as they may. */
  async reply(download: Download, account: string): Promise<SiteReply> {
    const running = this.#running.get(account) ?? 0;
    if (running >= AT_ONCE_PER_PARTNER || this.#all >= AT_ONCE) throw new TooManyAttempts(BUSY_RETRY_SECONDS);
    this.#running.set(account, running + 1);
    this.#all += 1;
    const body = await StreamedBody.begin(download.json === undefined ? csvPieces(download) : jsonPieces(download), {
      limitMs: LIMIT_MS,
      onEnd: () => this.#ended(account),
    });
    return page(200, download.json === undefined ? 'text/csv; charset=utf-8' : 'application/json', body, {
      ...HEADERS,
      'content-disposition': `attachment; filename="${download.name}.${download.json === undefined ? 'csv' : 'json'}"`,
    });
  }

  #ended(account: string): void {
    this.#all -= 1;
    const left = (this.#running.get(account) ?? 1) - 1;
    if (left > 0) this.#running.set(account, left);
    else this.#running.delete(account);
  }
}
