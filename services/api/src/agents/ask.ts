import type { z } from 'zod';
import type { RequestOrigin } from '../audit/change.ts';
import { authorize, claimantOf, type Principal } from '../auth/principal.ts';
import type { Limits } from '../limits.ts';
import type { Services, WorkspaceContext } from '../operation/context.ts';
import { createContext } from '../operation/create-context.ts';
import { asDryRun, runRow } from '../operation/mount.ts';
import { examineBody, examineQuery, refuseExamined } from '../operation/parse.ts';
import { readAddress } from '../operation/read-address.ts';
import type { Route } from '../operation/route.ts';
import { ApiError } from '../transport/error.ts';
import { isPages } from '../transport/pages.ts';

/** The request to an operation: the parameters of its path, its query and its body. Undefined values are left out. */
export type Question = {
  params?: Record<string, string>;
  query?: Record<string, string | number | undefined>;
  body?: object;
};

/** The caller of a tool. The tool runs operations with the caller's rights. */
export type Caller = {
  /**
   * Runs an operation with the rights, the rate limits, the gates and the audit log of a request, and answers what the
   * interface would answer. Throws the same `ApiError`s. `answer` is the schema of the answer.
   */
  ask: <Answer extends z.ZodType>(
    operationId: string,
    answer: Answer,
    question?: Question,
  ) => Promise<{ answer: z.output<Answer>; nextCursor: string | null }>;
  /** Whether the caller may use an operation. */
  may: (operationId: string) => boolean;
  isPortal: boolean;
  now: () => Date;
  context: () => WorkspaceContext;
};

type Given = {
  /** The operations that the caller's interface offers. */
  routes: readonly Route[];
  principal: Principal;
  limits: Limits;
  origin: RequestOrigin;
  spend: () => void;
};

/** The most items taken from an operation that answers a whole array. */
const MOST_ITEMS = 100;

export function createCaller(services: Services, { routes, principal, limits, origin, spend }: Given): Caller {
  const byId = new Map(routes.map((route) => [route.operationId, route]));
  const contextFor = (linkNext: WorkspaceContext['linkNext']) =>
    createContext(services, { principal, limits, first: undefined, origin, linkNext });
  return {
    isPortal: principal.grant.kind === 'capabilities',
    now: () => services.clock.now(),
    context: () => contextFor(() => {}),
    may(operationId) {
      const route = byId.get(operationId);
      return route !== undefined && isAuthorized(principal, route);
    },
    async ask(operationId, answer, { params = {}, query = {}, body } = {}) {
      const route = byId.get(operationId);
      if (route === undefined) throw new ApiError('forbidden', `This credential may not use ${operationId}`);
      spend();
      const isDryRun = body !== undefined && Reflect.get(body, 'dryRun') === true;
      authorize(principal, isDryRun ? asDryRun(route) : route);
      const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, `${value}`]]));
      const address = await readAddress(
        route,
        { params, query: Object.fromEntries(given) },
        { db: services.db, principal },
      );
      const [readQuery, readBody] = [examineQuery(route.query, address.query), examineBody(route.body, body)];
      refuseExamined([readQuery, readBody]);
      let nextCursor: string | null = null;
      const context = contextFor((cursor) => {
        nextCursor = cursor;
      });
      const input = {
        params: address.params,
        query: readQuery.data,
        body: readBody.data,
        bytes: Buffer.from(route.takesBytes ? JSON.stringify(body ?? {}) : ''),
        idempotencyKey: undefined,
      };
      const run = () => runRow(route, context, input, NO_HEADERS);
      const isLarge = route.isLargeRead(input.query);
      const result = await (isLarge ? limits.lists.run(claimantOf(principal), run) : run());
      return { answer: answer.parse(isPages(result) ? await firstItems(result) : result), nextCursor };
    },
  };
}

function isAuthorized(principal: Principal, route: Route): boolean {
  try {
    authorize(principal, route);
    return true;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}

/** The answer of a tool has no headers, so headers are ignored. */
const NO_HEADERS = { set: () => NO_HEADERS as never };

async function firstItems(pages: AsyncIterable<readonly unknown[]>): Promise<unknown[]> {
  const items: unknown[] = [];
  for await (const page of pages) {
    items.push(...page);
    if (items.length >= MOST_ITEMS) break;
  }
  return items;
}
