import { createInterface } from 'node:readline';
import { VERSION } from '../version.ts';
import { addressOf, apiOptions, CommandRefused, type DeveloperCommand, isSandboxKey, requireKey } from './command.ts';

/**
 * Tools for an agent that starts its servers itself. This process has no tools of its own: it relays each message to the panel's
 * address, where the key's limits are kept, so an agent that can change this process still cannot exceed them.
 */
export const mcpCommand: DeveloperCommand = {
  name: 'mcp',
  summary: 'Serve the API as tools to an agent over stdin and stdout (MCP); in the sandbox unless --live is given',
  options: {
    key: { ...apiOptions.key, summary: 'your API key, a sandbox key unless --live is given; WAYFARE_KEY by default' },
    url: apiOptions.url,
    live: { summary: 'accept a live key: purchases cost real money' },
  },
  isSilent: true,
  async run(terminal, given) {
    const key = requireKey(terminal, given);
    const isLive = given.live === true;
    if (isSandboxKey(key) === isLive)
      throw isLive
        ? new CommandRefused('sandbox_key', 'this is not a live key; leave out --live')
        : new CommandRefused('live_key', 'this is a live key; to use it, add --live');
    const api = addressOf(terminal, given) ?? `http://localhost:${isLive ? 4020 : 4010}/v3`;
    const panel = await panelOf(api, terminal.stop);
    return relay(`${panel}/mcp${isLive ? '/live' : ''}`, key, terminal.stop);
  },
};

/** The API names the panel, which serves the tools, beside its description (RFC 8631). */
async function panelOf(api: string, signal: AbortSignal): Promise<string> {
  const address = `${api.replace(/\/+$/, '')}/openapi.json`;
  const response = await reach(address, { method: 'HEAD', redirect: 'manual', signal });
  const named = /<([^>]*)>\s*;\s*rel="?service-doc"?/.exec(response.headers.get('link') ?? '')?.[1] ?? '';
  if (!response.ok || !URL.canParse(named))
    throw new CommandRefused('not_the_api', `${api} is not the address of a Wayfare API that names its panel`);
  // The key follows.
  if (api.startsWith('https:') && !named.startsWith('https:'))
    throw new CommandRefused('insecure_panel', `${api} names a panel without https: ${named}`);
  return named.replace(/\/+$/, '');
}

interface Message {
  readonly jsonrpc?: string;
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: {
    readonly name?: unknown;
    readonly _meta?: Readonly<Record<string, unknown>>;
    [field: string]: unknown;
  };
}
interface Answer {
  readonly id?: Message['id'];
  readonly result?: { readonly protocolVersion?: unknown };
  readonly error?: { readonly code: number; readonly message: string; readonly data?: { readonly error?: string } };
}

/** What this process speaks before the agent has negotiated a revision. */
const PROTOCOL = '2025-06-18';
const REVISION_KEY = 'io.modelcontextprotocol/protocolVersion';
/** JSON-RPC: an error of the implementation. */
const FAILED = -32000;

async function relay(address: string, key: string, stop: AbortSignal): Promise<{ stopped: true }> {
  let negotiated = PROTOCOL;

  async function ask(message: Message): Promise<Answer[]> {
    const { method = '', params } = message;
    const claimed = params?._meta?.[REVISION_KEY];
    const headers: Record<string, string> = {
      'x-api-key': key,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': typeof claimed === 'string' ? claimed : negotiated,
    };
    // The revision without a handshake repeats these outside the body.
    if (claimed !== undefined) {
      headers['mcp-method'] = method;
      if (typeof params?.name === 'string') headers['mcp-name'] = params.name;
    }
    const body = JSON.stringify(message);
    const response = await reach(address, { method: 'POST', headers, body, redirect: 'manual', signal: stop });
    const text = await response.text();
    const answers = messagesIn(text);
    if (answers.length === 0 && !(response.ok && text.trim() === ''))
      throw new CommandRefused(
        'not_the_panel',
        `${address} answered with status ${response.status}, but is not a Wayfare panel`,
      );
    return answers;
  }

  async function pass(line: string): Promise<void> {
    const message = parsed<Message>(line);
    if (!message) return;
    let answers: Answer[];
    try {
      answers = await ask(message);
    } catch (error) {
      if (stop.aborted) return;
      answers = [{ error: { code: FAILED, message: (error as Error).message } }];
    }
    const { id } = message;
    // A notification has no id and gets no answer.
    if (id === undefined) return;
    for (const answer of answers) {
      if (message.method === 'initialize' && typeof answer.result?.protocolVersion === 'string')
        negotiated = answer.result.protocolVersion;
      // An early refusal does not name the message it answers.
      process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...answer, id: answer.id ?? id })}\n`);
    }
  }

  // A key that is refused ends the command at once, with the reason.
  const params = {
    protocolVersion: PROTOCOL,
    capabilities: {},
    clientInfo: { name: 'wayfare mcp', version: VERSION },
  };
  const [first] = await ask({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
  if (first?.error) throw new CommandRefused(first.error.data?.error ?? 'refused', first.error.message);

  const passing = new Set<Promise<void>>();
  const lines = createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY });
  const end = () => lines.close();
  stop.addEventListener('abort', end);
  lines.on('line', (line) => {
    if (line.trim() === '') return;
    const one = pass(line).finally(() => passing.delete(one));
    passing.add(one);
  });
  await new Promise<void>((resolve) => lines.once('close', resolve));
  stop.removeEventListener('abort', end);
  await Promise.all(passing);
  return { stopped: true };
}

const reach = (address: string, init: RequestInit): Promise<Response> =>
  fetch(address, init).catch((error: Error) => {
    const { message } = error.cause instanceof Error ? error.cause : error;
    throw new CommandRefused('api_away', `${address} cannot be reached: ${message}`);
  });

/** The messages of an answer, plain or as the events of a stream. */
function messagesIn(text: string): Answer[] {
  const lines = /^\s*[{[]/.test(text) ? [text] : [...text.matchAll(/^data: ?(.+)$/gm)].map(([, data = '']) => data);
  return lines.flatMap((line) => parsed<Answer>(line) ?? []);
}

function parsed<Value extends object>(text: string): Value | undefined {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
