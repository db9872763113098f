import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { Place } from '../context.ts';
import { CommandError, EXIT } from '../failure.ts';
import type { Terminal } from '../terminal.ts';

type Address = { url: URL; token: string };

/** The URL of the MCP server, and the token for it. */
export function addressOf({ baseUrl, token, workspaceId, profileName }: Place, allowChanges: boolean): Address {
  if (baseUrl === undefined || token === undefined) {
    throw new CommandError({
      exitCode: EXIT.unauthorized,
      code: 'not_logged_in',
      message: `The profile ${profileName} has no address or no token`,
      next: 'posthorn login, or set POSTHORN_BASE_URL and POSTHORN_TOKEN',
    });
  }
  const url = new URL('mcp', baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`);
  if (allowChanges) url.searchParams.set('changes', 'true');
  if (workspaceId !== undefined) url.searchParams.set('workspace', workspaceId);
  return { url, token };
}

/**
 * Passes an agent's messages to the server and the answers back, until standard input ends. The tools are the server's
 * own, so they fit its version.
 */
export async function forward(
  { url, token }: Address,
  { terminal, signal }: { terminal: Terminal; signal: AbortSignal },
): Promise<void> {
  const agent = new StdioServerTransport(terminal.stdin, terminal.stdout);
  const server = new StreamableHTTPClientTransport(url, {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
  const underWay = new Set<Promise<void>>();
  server.onmessage = (message) => {
    const version = versionIn(message);
    if (version !== undefined) server.setProtocolVersion(version);
    void agent.send(message);
  };
  agent.onmessage = (message) => {
    const work = server.send(message).catch((error: unknown) => answerFailure(agent, message, error));
    underWay.add(work);
    void work.finally(() => underWay.delete(work));
  };
  const ended = new Promise<void>((resolve) => {
    terminal.stdin.once('end', resolve).once('close', resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await server.start();
  await agent.start();
  await ended;
  signal.throwIfAborted();
  // Requests from before the end of the input still get an answer.
  await Promise.all(underWay);
  await server.close();
}

/** The protocol version that the answer to `initialize` names. */
function versionIn(message: JSONRPCMessage): string | undefined {
  const version = 'result' in message ? message.result.protocolVersion : undefined;
  return typeof version === 'string' ? version : undefined;
}

/** Answers a request that did not reach the server. A notification gets no answer. */
async function answerFailure(agent: StdioServerTransport, message: JSONRPCMessage, error: unknown): Promise<void> {
  if (!('id' in message) || !('method' in message)) return;
  await agent.send({ jsonrpc: '2.0', id: message.id, error: { code: -32_000, message: wordsOf(error) } });
}

/** The message of the server's own error, if it sent one. */
function wordsOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const from = text.indexOf('{');
  try {
    const { code, message } = JSON.parse(text.slice(from)).error;
    return `${code}: ${message}. Next: posthorn whoami shows the credential and its rights`;
  } catch {
    return `Posthorn cannot be reached: ${text}. Next: posthorn profile list shows the address`;
  }
}
