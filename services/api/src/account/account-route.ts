import type { Logger } from '@posthorn/runtime/logger';
import type { z } from 'zod';
import type { RequestOrigin } from '../audit/change.ts';
import type { DeviceUser } from '../auth/device-cookie.ts';
import type { LiveSession } from '../auth/session-token.ts';
import type { Services, WorkspaceContext } from '../operation/context.ts';
import type { ListContext } from '../operation/list-rows.ts';
import type { Described, PathParameters } from '../operation/route.ts';
import type { LoginLimit } from './login-limit.ts';
import type { Provider } from './oidc/provider.ts';
import type { PasswordTries } from './password-tries.ts';

/** The context of a dashboard operation that belongs to no workspace. */
export type AccountContext = Services & {
  logger: Logger;
  loginLimit: LoginLimit;
  passwordTries: PasswordTries;
  origin: RequestOrigin;
  /** Runs `work` after the answer is sent; an error of it is logged. */
  afterAnswer: (work: () => Promise<void>) => void;
  /** Sets or clears the web UI's cookie in this answer. */
  cookie: { set: (token: string, maxAgeMs: number) => void; clear: () => void };
  /** The sign-in provider; undefined where there is none. */
  provider: Provider | undefined;
  /** The secret of a sign-in with the provider, in this browser's cookie. */
  oidcCookie: { read: () => string | undefined; set: (secret: string, maxAgeMs: number) => void; clear: () => void };
  /** Reads the id of a browser in which the user has logged in before, or remembers this browser as one. */
  device: { id: (user: DeviceUser) => string | undefined; remember: (user: DeviceUser) => void };
};

/** The context of a person's own list: its cursors are bound to the person. */
export function listContextOf({ cursorKeys, linkNext, session }: SessionContext): ListContext {
  return { cursorKeys, linkNext, workspace: { id: session.user.id }, bounds: {} };
}

export type SessionContext = AccountContext & { session: LiveSession; linkNext: WorkspaceContext['linkNext'] };

/** An operation without a workspace, as a row of data; its path is below `/api`. */
export type AccountRoute = Described & {
  path: string;
  /** Whether the caller must be logged in. If not, anybody may call it. */
  needsSession: boolean;
  /** The operation concerns passwords. It is refused where nobody signs in with a password. */
  isForPasswords?: true;
  /** Whether the answer may have a `Link` header to its next page. */
  links: boolean;
  query: z.ZodType | undefined;
  body: z.ZodType | undefined;
  response: z.ZodType | undefined;
  run: (context: AccountContext, input: AccountInput) => Promise<unknown>;
};

/** Parsed before the operation runs, so the operation trusts it. */
export type AccountInput = { params: Record<string, string>; query: unknown; body: unknown };

type Row<
  Context,
  Path extends string,
  Body extends z.ZodType,
  Answer extends z.ZodType,
  Query extends z.ZodType = z.ZodUndefined,
> = Described & {
  path: Path;
  isForPasswords?: true;
  links?: boolean;
  query?: Query;
  body?: Body;
  response?: Answer;
  run: (
    context: Context,
    input: { params: PathParameters<Path>; query: z.output<Query>; body: z.output<Body> },
  ) => Promise<z.input<Answer> | AsyncIterable<z.input<Answer>> | undefined>;
};

/** A row that anybody may call. */
export function openRoute<
  Path extends string,
  Body extends z.ZodType = z.ZodUndefined,
  Answer extends z.ZodType = z.ZodUndefined,
>(row: Row<AccountContext, Path, Body, Answer>): AccountRoute {
  // The input has been parsed with exactly these schemas.
  const run = row.run as AccountRoute['run'];
  return { ...row, links: false, query: undefined, body: row.body, response: row.response, needsSession: false, run };
}

/** A row for a logged-in person. */
export function sessionRoute<
  Path extends string,
  Body extends z.ZodType = z.ZodUndefined,
  Answer extends z.ZodType = z.ZodUndefined,
  Query extends z.ZodType = z.ZodUndefined,
>(row: Row<SessionContext, Path, Body, Answer, Query>): AccountRoute {
  // The input has been parsed with exactly these schemas, and the context contains the session.
  const run = row.run as unknown as AccountRoute['run'];
  const { links = false, query, body, response } = row;
  return { ...row, links, query, body, response, needsSession: true, run };
}
