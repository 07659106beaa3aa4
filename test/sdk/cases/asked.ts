/** What `run.ts`, `run.py` and `run.php` read and write. */
export interface Asked {
  readonly calls: readonly {
    readonly base_url: string;
    readonly settings?: Settings;
    readonly calls: readonly Call[];
  }[];
  readonly webhooks: readonly Webhook[];
}

export interface Settings {
  readonly key?: string;
  readonly timeout_ms?: number;
  readonly max_retries?: number;
  readonly user_agent?: string;
}

export interface Call {
  /** `purchase.buy` as the TypeScript SDK calls it, or `GET order/detail/1` for `request`. */
  readonly method: string;
  readonly id?: string | number;
  readonly fields?: Readonly<Record<string, unknown>>;
  /** Fields the SDK does not know. */
  readonly extra?: Readonly<Record<string, unknown>>;
  readonly options?: Settings & { readonly sandbox_error?: string };
  /** For a list: how many rows to read. */
  readonly take?: number;
}

export interface Webhook {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly secret: string | readonly string[];
  readonly now: number;
}

/** One of `answer`, `refused`, `unanswered`, `rejected`, `misused`. */
export type Outcome = Readonly<Record<string, unknown>>;

export interface Done {
  readonly calls: readonly { readonly outcomes: readonly Outcome[]; readonly waits: readonly number[] }[];
  readonly webhooks: readonly Outcome[];
}
