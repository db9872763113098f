import type { CallToolResult, Tool as ListedTool } from '@modelcontextprotocol/server';
import { ERROR_HELP } from '@posthorn/contract/errors';
import { z } from 'zod';
import { parseInput } from '../operation/parse.ts';
import { toApiError } from '../transport/error-handler.ts';
import { type Answer, writeAnswer } from './answer.ts';
import type { Caller } from './ask.ts';

/** A tool: it answers one question, or makes one change, by asking operations of the interface. */
export type Tool = {
  name: string;
  title: string;
  description: string;
  /** The operations that the tool needs. A caller who may not use them does not see the tool. */
  needs: readonly string[];
  /** The operations that it needs in a portal session, if they have other names there. */
  portalNeeds?: readonly string[];
  /** Whether the tool changes something. Then it is offered only where changes were asked for. */
  changes: boolean;
  input: z.ZodObject;
  run: (caller: Caller, args: never) => Promise<Answer>;
};

type ToolRow<Input extends z.ZodObject> = Omit<Tool, 'input' | 'run' | 'changes'> & {
  changes?: boolean;
  input: Input;
  run: (caller: Caller, args: z.output<Input>) => Promise<Answer>;
};

export function tool<Input extends z.ZodObject>(row: ToolRow<Input>): Tool {
  // The arguments have been parsed with exactly this schema.
  return { ...row, changes: row.changes ?? false, run: row.run as Tool['run'] };
}

/** Whether a caller may use a tool. */
export function isOffered({ needs, portalNeeds, changes }: Tool, caller: Caller, allowChanges: boolean): boolean {
  if (changes && !allowChanges) return false;
  return ((caller.isPortal ? portalNeeds : undefined) ?? needs).every((operationId) => caller.may(operationId));
}

/** The tool as a client lists it. */
export function listTool({ name, title, description, changes, input }: Tool): ListedTool {
  const { $schema: _, ...inputSchema } = z.toJSONSchema(input, { io: 'input' });
  return {
    name,
    title,
    description,
    inputSchema: inputSchema as ListedTool['inputSchema'],
    annotations: { title, readOnlyHint: !changes, destructiveHint: changes, openWorldHint: false },
  };
}

/**
 * Calls a tool. A wrong argument and a refused operation are answers, too: they say what to do next. `onFault` is
 * called with a fault of the service, and its answer has no details.
 */
export async function callTool(
  row: Tool,
  { caller, given, onFault }: { caller: Caller; given: unknown; onFault: (error: unknown) => void },
): Promise<CallToolResult> {
  let args: Record<string, unknown>;
  try {
    args = parseInput(row.input, given ?? {}) as Record<string, unknown>;
  } catch (error) {
    return refuse(error, `${row.name} takes ${Object.keys(row.input.shape).join(', ')}.`);
  }
  try {
    return await answerThatFits(row, caller, args);
  } catch (error) {
    if (toApiError(error).code === 'internal_error') onFault(error);
    return refuse(error);
  }
}

/** If a page is too large, reads it again with half as many items: no item is cut, and the cursor is right. */
async function answerThatFits(row: Tool, caller: Caller, args: Record<string, unknown>): Promise<CallToolResult> {
  for (let limit = args.limit; ; limit = Math.floor(Number(limit) / 2)) {
    const given = limit === undefined ? args : { ...args, limit };
    const { result, isWhole } = writeAnswer(await row.run(caller, given as never));
    if (isWhole || limit === undefined || Number(limit) <= 1) return result;
  }
}

/** An error that a model can act on. */
export function refuse(error: unknown, fits?: string): CallToolResult {
  const { code, message, details = [] } = toApiError(error);
  const others = details.slice(1, 5).map((detail) => detail.message);
  const said = [message, ...others].join('; ');
  const next = fits ?? ADVICE[code] ?? ERROR_HELP[code].advice;
  return { isError: true, content: [{ type: 'text', text: `${code}: ${said}. Next: ${next}` }] };
}

/** Advice about an error, where tools need other advice than programs. */
const ADVICE: Partial<Record<keyof typeof ERROR_HELP, string>> = {
  validation_error: 'change the argument that the message names.',
  invalid_cursor: 'call again without cursor, with the same filters.',
  not_found: 'check the id. find_events, list_failing and endpoint_health show ids of this workspace.',
  rate_limited: 'wait a few seconds, then call again.',
  unavailable: 'wait a few seconds, then call again.',
  forbidden: 'use a credential with the right that the message names.',
};
