import { createMcpHandler, type ListToolsResult, type McpHttpHandler, Server } from '@modelcontextprotocol/server';
import type { KnownKey } from '../../domains/partners/keys/keys.ts';
import { isConnectionError } from '../../platform/db/database.ts';
import { phoneTools } from './phone-tools.ts';
import { readTools } from './read-tools.ts';
import { type Agent, inputOf, lacking, listed, readArgs, refused, type Tool, type ToolAnswer } from './tool.ts';
import { writeTools } from './write-tools.ts';

/** Of the API behind the tools. */
const VERSION = '3.0.0';
const instructions = (siteName: string): string =>
  `${siteName} sells travel eSIMs. Find the destination, search its plans, quote, then buy in two steps: the first call states the price, the second needs its confirmation. Never confirm a price that the person has not agreed to. Amounts are in USD. Activation data is only in get_order, and it is a secret of the traveller.`;

const changingTools = [...writeTools, ...phoneTools];

/** Without a limit on what it may spend a key can only read. */
const maySpend = ({ limits }: KnownKey): boolean => limits.some(({ scope }) => scope === 'key');

/** A restricted key has the tools for what it may do. */
const toolsOf = ({ key }: Agent): readonly Tool[] =>
  (maySpend(key) ? [...readTools, ...changingTools] : readTools).filter((tool) => lacking(key, tool) === undefined);

/** Serves the tools to agents that speak MCP, statelessly: each request is answered on its own, in any process. */
export function serveTools(siteName: string): McpHttpHandler {
  return createMcpHandler(
    ({ authInfo }) => {
      const agent = authInfo?.extra?.agent as Agent;
      const server = new Server(
        { name: 'travel-esims', title: siteName, version: VERSION },
        { capabilities: { tools: {} }, instructions: instructions(siteName) },
      );
      server.setRequestHandler(
        'tools/list',
        () => ({ tools: toolsOf(agent).map((tool) => listed(tool, agent.key.mode)) }) as unknown as ListToolsResult,
      );
      server.setRequestHandler('tools/call', async ({ params }) =>
        asResult(await called(agent, params.name, params.arguments)),
      );
      return server;
    },
    { maxSubscriptions: 0, keepAliveMs: 0 },
  );
}

async function called(agent: Agent, name: string, given: unknown): Promise<ToolAnswer> {
  const tool = [...readTools, ...changingTools].find((known) => known.name === name);
  if (!tool) return refused('unknown_tool', `There is no tool ${name}.`);
  const permission = lacking(agent.key, tool);
  if (permission !== undefined)
    return refused('key_not_permitted', `This key may not use ${name}: it lacks the permission.`, { permission });
  if (tool.writes && !maySpend(agent.key))
    return refused(
      'spending_limit_required',
      'This key has no limit on spending, so it can only read. Owners and developers set one in the panel (API keys, Edit).',
    );
  const input = inputOf(tool, agent.key.mode);
  const args = readArgs(input, given);
  if (!args) return refused('invalid_arguments', `${name} takes: ${Object.keys(input).join(', ') || 'nothing'}.`);
  try {
    return await tool.run(agent, args);
  } catch (error) {
    // The SDK would send the message to the agent, and it may name hosts and tables.
    agent.base.log[isConnectionError(error) ? 'warn' : 'error']({ err: error, tool: name }, 'tool failed');
    return refused('internal_error', 'Something failed on our side. Repeat the same call: nothing is charged twice.');
  }
}

const asResult = ({ isError, body }: ToolAnswer) => ({
  content: [{ type: 'text' as const, text: JSON.stringify(body) }],
  structuredContent: body,
  isError,
});
