import { once } from 'node:events';
import { Refused, Relayed } from '../contract/refused.ts';
import { undici } from '../http/undici.ts';
import { claimedMode } from '../keys/keys.ts';
import { type Client, clientCommand } from './client.ts';
import { required, text, toggle } from './options.ts';

const keyOption = text('esk_…', 'an API key, a sandbox key unless --live is given; WAYFARE_KEY by default');

/**
 * Tools for an agent that starts its servers itself. This process has no tools of its own: it hands each call to the panel's address, where
 * the key's limits are kept, so an agent that can change this process still cannot exceed them.
 */
export const mcpCommand = clientCommand({
  path: ['mcp'],
  console: { never: 'it runs beside an agent, on its machine, with a key' },
  summary: 'Serve the API as tools to an agent over stdin and stdout (MCP); in the sandbox unless --live is given',
  options: {
    key: keyOption,
    url: text('PANEL_URL', "the panel's address"),
    live: toggle('accept a live key: purchases cost real money'),
  },
  async run(client, { key, url, live }) {
    const used = required(keyOption).read(key ?? client.key);
    const mode = claimedMode(used);
    if (mode === 'live' && !live) throw new Refused('live_key', 'this is a live key; to use it, add --live');
    if (mode !== 'live' && live) throw new Refused('sandbox_key', 'this is not a live key; leave out --live');
    const panel = (url ?? client.panelUrl.href).replace(/\/$/, '');
    return serve(client, `${panel}/mcp${live ? '/live' : ''}`, used);
  },
  text: () => '',
});

async function serve({ stop }: Client, address: string, key: string): Promise<{ stopped: true }> {
  // Loaded here: no other command needs it.
  const { Server } = await import('@modelcontextprotocol/server');
  const { serveStdio } = await import('@modelcontextprotocol/server/stdio');
  const ask = (method: string, params: object = {}) => askPanel(address, key, { method, params }, stop);
  const about = await ask('initialize', {
    protocolVersion: PROTOCOL,
    capabilities: {},
    clientInfo: { name: 'wayfare mcp', version: '1' },
  });
  const served = serveStdio(() => {
    const server = new Server(about.serverInfo, {
      capabilities: { tools: {} },
      instructions: about.instructions,
    });
    server.setRequestHandler('tools/list', () => ask('tools/list'));
    server.setRequestHandler('tools/call', ({ params }) =>
      ask('tools/call', { name: params.name, arguments: params.arguments ?? {} }),
    );
    return server;
  });
  await Promise.race([once(process.stdin, 'close'), once(stop, 'abort')]);
  await served.close();
  return { stopped: true };
}

/** The revision this process speaks to the panel; the agent's own is negotiated with the agent. */
const PROTOCOL = '2025-06-18';

async function askPanel(
  address: string,
  key: string,
  call: { method: string; params: object },
  signal: AbortSignal,
  // biome-ignore lint/suspicious/noExplicitAny: the protocol says what is there.
): Promise<any> {
  const { statusCode, body } = await undici()
    .request(address, {
      method: 'POST',
      headers: {
        'x-api-key': key,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': PROTOCOL,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...call }),
      signal,
    })
    .catch((error: Error) => {
      throw new Refused('panel_away', `${address} cannot be reached: ${error.message}`);
    });
  const answer = readAnswer(await body.text());
  if (!answer)
    throw new Refused('not_the_panel', `${address} answered with status ${statusCode}, but is not a Wayfare panel`);
  if (answer.error) throw new Relayed(answer.error.data?.error ?? 'refused', answer.error.message);
  return answer.result;
}

/** One message, plain or as the only event of a stream. */
function readAnswer(
  text: string,
): { result?: unknown; error?: { message: string; data?: { error: string } } } | undefined {
  const line = text.startsWith('{') ? text : /^data: (\{.*\})$/m.exec(text)?.[1];
  try {
    return line === undefined ? undefined : JSON.parse(line);
  } catch {
    return undefined;
  }
}
