import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { eventually } from '../eventually.ts';
import type { TestApp } from './app.ts';
import { run } from './operator.ts';

interface ToolCalled {
  readonly isError: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the tool answers.
  readonly body: any;
}

interface ListedTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: { readonly properties?: Readonly<Record<string, unknown>> };
  readonly outputSchema?: unknown;
}

export interface TestAgent extends AsyncDisposable {
  tools(): Promise<string[]>;
  /** As the server describes them. From then on the client holds every answer to its tool's output schema. */
  listed(): Promise<ListedTool[]>;
  call(name: string, args?: Record<string, unknown>): Promise<ToolCalled>;
}

/** The client's own minute is too short for a busy machine. */
const PATIENCE = { timeout: 300_000 };
/** The server's command line, and that of the SDK. */
const programs = {
  wayfare: fileURLToPath(new URL('../../../src/main.ts', import.meta.url)),
  'wayfare-dev': fileURLToPath(new URL('../../../sdk/src/commands/main.ts', import.meta.url)),
} as const;
export type McpProgram = keyof typeof programs;

/** `modern`: the revision without sessions and handshake; `legacy`: the one before. */
export type Era = 'modern' | 'legacy';
const negotiation = { modern: { pin: '2026-07-28' }, legacy: undefined } as const;

function client(era: Era): Client {
  const mode = negotiation[era];
  return new Client({ name: 'test', version: '1' }, mode ? { versionNegotiation: { mode } } : {});
}

/** The official client over HTTP. */
export async function agentAt(url: string, headers: Record<string, string>, era: Era = 'legacy'): Promise<TestAgent> {
  const made = client(era);
  await made.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }), PATIENCE);
  return agentOf(made);
}

/** The official client with `wayfare mcp` or `wayfare-dev mcp` as its server. */
export async function agentBeside(
  env: Record<string, string>,
  words: readonly string[],
  era: Era = 'legacy',
  program: McpProgram = 'wayfare',
): Promise<TestAgent> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const made = client(era);
  await made.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [programs[program], 'mcp', ...words],
      env: { PATH: PATH ?? '', ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }), ...env },
      stderr: 'ignore',
    }),
    PATIENCE,
  );
  return agentOf(made);
}

const agentOf = (made: Client): TestAgent => ({
  tools: async () => (await made.listTools({}, PATIENCE)).tools.map(({ name }) => name),
  listed: async () => (await made.listTools({}, PATIENCE)).tools as ListedTool[],
  async call(name, args = {}) {
    const { content, isError } = await made.callTool({ name, arguments: args }, PATIENCE);
    const [first] = content as { text: string }[];
    return { isError: isError === true, body: JSON.parse(first?.text ?? '') };
  },
  [Symbol.asyncDispose]: () => made.close(),
});

export async function keyIdOf(t: TestApp, key: string): Promise<number> {
  return (await t.base.db.one<{ id: number }>(sql`select id from api_keys where hash = sha256(${key}::text::bytea)`))
    .id;
}

/** `limit` as `key set --limit` takes it. Returns once the program knows it. */
export async function allowSpending(t: TestApp, key: string, limit: string): Promise<void> {
  const keyId = await keyIdOf(t, key);
  const { limits } = await run(t.operator(), ['key', 'set', String(keyId), '--limit', limit]);
  const terms = (of: { per: string; amount: unknown; count: unknown }[]) =>
    of.map(({ per, amount, count }) => [per, amount === null ? null : Number(amount), count]).join();
  await eventually('the limit is known', async () => {
    const { body } = await t.get('/account/limits', { key });
    return !body?.limits || terms(body.limits) === terms(limits);
  });
}
