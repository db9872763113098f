import type { Logger } from '@posthorn/runtime/logger';
import type { z } from 'zod';
import type { RequestOrigin } from '../audit/change.ts';
import type { LiveSession } from '../auth/session-token.ts';
import type { Services } from '../http/context.ts';
import type { Described } from '../http/route.ts';
import type { LoginLimit } from './login-limit.ts';

/** What an operation of the dashboard is given that belongs to no workspace. */
export type AccountContext = Services & {
  logger: Logger;
  loginLimit: LoginLimit;
  origin: RequestOrigin;
  /** The web UI's cookie in this answer. */
  cookie: { set: (token: string, maxAgeMs: number) => void; clear: () => void };
};

export type SessionContext = AccountContext & { session: LiveSession };

/** One such operation, as a row of data; its path is below `/api`. */
export type AccountRoute = Described & {
  path: string;
  /** Whether it takes a session; without, anybody may call it. */
  needsSession: boolean;
  body: z.ZodType | undefined;
  response: z.ZodType | undefined;
  run: (context: AccountContext, body: unknown) => Promise<unknown>;
};

type Row<Context, Body extends z.ZodType, Answer extends z.ZodType> = Described & {
  path: string;
  body?: Body;
  response?: Answer;
  run: (context: Context, body: z.output<Body>) => Promise<z.input<Answer> | undefined>;
};

/** A row that anybody may call. */
export function openRoute<Body extends z.ZodType = z.ZodUndefined, Answer extends z.ZodType = z.ZodUndefined>(
  row: Row<AccountContext, Body, Answer>,
): AccountRoute {
  // The door has parsed the body with exactly this schema.
  const run = row.run as AccountRoute['run'];
  return { ...row, body: row.body, response: row.response, needsSession: false, run };
}

/** A row for whoever is logged in. */
export function sessionRoute<Body extends z.ZodType = z.ZodUndefined, Answer extends z.ZodType = z.ZodUndefined>(
  row: Row<SessionContext, Body, Answer>,
): AccountRoute {
  // The door has parsed the body with exactly this schema, and puts the session into the context.
  const run = row.run as unknown as AccountRoute['run'];
  return { ...row, body: row.body, response: row.response, needsSession: true, run };
}
