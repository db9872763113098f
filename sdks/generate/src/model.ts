// The interface in the words of no language: what a template needs to write the models and resources of a library.

export type Model = {
  /** Every named type that an operation uses, by name, in the order of the document. */
  types: NamedType[];
  resources: Resource[];
  /** The codes of errors that the document knows; a newer server may answer others. */
  errorCodes: string[];
};

export type NamedType = { name: string; description: string } & (
  | { kind: 'object'; fields: Field[]; sent: boolean; answered: boolean }
  /** `open`: stands in answers, so that a newer server may use values that are not listed. */
  | { kind: 'enum'; values: string[]; open: boolean }
  | { kind: 'alias'; type: Type }
  /** A value with one of several forms. */
  | { kind: 'union'; forms: Type[] }
  /** An object whose form depends on the `type` of the endpoint: names of objects. */
  | { kind: 'byType'; forms: [type: string, name: string][] }
);

export type Type =
  | { kind: 'string' | 'integer' | 'number' | 'boolean' | 'null' }
  /** A time of RFC 3339. `sent`: a library takes its language's own type for it, too. */
  | { kind: 'time'; sent: boolean }
  /** Any JSON value. */
  | { kind: 'json' }
  | { kind: 'enum'; values: string[]; open: boolean }
  | { kind: 'list'; item: Type; itemNullable: boolean }
  | { kind: 'map'; value: Type; valueNullable: boolean }
  | { kind: 'ref'; name: string };

export type Field = {
  /** As it is written in JSON, in a query or in a header. */
  name: string;
  description: string;
  type: Type;
  /** May be absent. In the body of a PATCH, absent keeps and null clears. */
  optional: boolean;
  nullable: boolean;
};

/** `client.endpoints`: the name is in camelCase. */
export type Resource = { name: string; description: string; methods: Method[] };

export type Method = {
  /** In camelCase: `list`, `rotateSecret`. */
  name: string;
  operationId: string;
  summary: string;
  description: string;
  http: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /**
   * The path behind the base URL, or behind `/management/v1/workspaces/{workspaceId}` with `inWorkspace`; `{name}` stands
   * for an argument.
   */
  path: string;
  inWorkspace: boolean;
  /** Which credential the request carries. */
  credential: 'token' | 'apiKey';
  /** The arguments in the path, in order. The workspace is not among them, because the client knows it. */
  pathArguments: string[];
  query: Field[];
  body: { type: string; required: boolean } | undefined;
  answer: Answer;
  /** Written by hand in every library: the body is a payload, or the call is split. */
  byHand: boolean;
  /** Whether the library sends an `Idempotency-Key`, its own where the caller gives none. */
  idempotencyKey: boolean;
  /**
   * The field of the answer that only the first answer shows. Where it is null in an answer with the header
   * `Idempotent-Replayed: true`, a library throws SecretNotShownError.
   */
  shownOnce: string | undefined;
  /** `never`: a test or an examination has an effect each time, so it is sent once. */
  retry: 'always' | 'never';
  /** The codes with which the operation is refused. */
  errors: string[];
};

export type Answer =
  | { kind: 'none' }
  /** `dryRun`: the type of the answer when the body says `dryRun: true`. */
  | { kind: 'json'; type: Type; dryRun: Type | undefined }
  /**
   * A list in pages, which a library walks by itself. What leads to the next page:
   * - `cursor`: `nextCursor` of the answer, as the query parameter `cursor`. `items` is the field with the items.
   * - `page`: the next number from 1, as the query parameter `page`, while `page * pageSize` is below `total`.
   * - `link`: the answer is the items alone. The query parameter `cursor` of the URL in the header
   *   `Link: <…>; rel="next"`. Without `limit` such an operation answers everything, so a library sends `limit=100`.
   */
  | { kind: 'pages'; item: Type; items: string | undefined; by: 'cursor' | 'page' | 'link' }
  /** Server-sent events, by the name of the event. */
  | { kind: 'stream'; events: { name: string; type: Type }[] };
