// A model of the API that is independent of any language. Templates write a library's models and resources from it.

export type Model = {
  /** Every named type that an operation uses, by name, in the order of the document. */
  types: NamedType[];
  resources: Resource[];
  /** The error codes that the document knows. A newer server may send others. */
  errorCodes: string[];
};

export type NamedType = { name: string; description: string } & (
  | { kind: 'object'; fields: Field[]; sent: boolean; answered: boolean }
  /** `open`: occurs in answers, where a newer server may use values that are not listed. */
  | { kind: 'enum'; values: string[]; open: boolean }
  | { kind: 'alias'; type: Type }
  /** A value with one of several forms. */
  | { kind: 'union'; forms: Type[] }
  /** An object whose form depends on the `type` of the endpoint. `forms` has the name of the object for each type. */
  | { kind: 'byType'; forms: [type: string, name: string][] }
);

export type Type =
  | { kind: 'string' | 'integer' | 'number' | 'boolean' | 'null' }
  /** A time in RFC 3339. `sent`: occurs in requests, where a library also takes the time type of its language. */
  | { kind: 'time'; sent: boolean }
  /** Any JSON value. */
  | { kind: 'json' }
  | { kind: 'enum'; values: string[]; open: boolean }
  | { kind: 'list'; item: Type; itemNullable: boolean }
  | { kind: 'map'; value: Type; valueNullable: boolean }
  | { kind: 'ref'; name: string };

export type Field = {
  /** The name in JSON, in a query or in a header. */
  name: string;
  description: string;
  type: Type;
  /** Whether it may be absent. In the body of a PATCH, an absent field keeps its value, and null clears it. */
  optional: boolean;
  nullable: boolean;
};

/** A resource such as `client.endpoints`. The name is in camelCase. */
export type Resource = { name: string; description: string; methods: Method[] };

export type Method = {
  /** In camelCase: `list`, `rotateSecret`. */
  name: string;
  operationId: string;
  summary: string;
  description: string;
  http: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /**
   * The path after the base URL or, with `inWorkspace`, after `/management/v1/workspaces/{workspaceId}`. It has a
   * placeholder `{name}` for each argument.
   */
  path: string;
  inWorkspace: boolean;
  /** The kind of credential that the request carries. */
  credential: 'token' | 'apiKey';
  /** The arguments in the path, in order. The workspace is not among them, because the client knows it. */
  pathArguments: string[];
  query: Field[];
  body: { type: string; required: boolean } | undefined;
  answer: Answer;
  /** Whether every library has the method written by hand, because the body is a payload or the call is split. */
  byHand: boolean;
  /** Whether the library sends an `Idempotency-Key`. If the caller gives none, the library makes one. */
  idempotencyKey: boolean;
  /**
   * The field with a secret that only the first answer shows. If it is null in an answer with the header
   * `Idempotent-Replayed: true`, a library throws SecretNotShownError.
   */
  shownOnce: string | undefined;
  /** `never`: the request is sent once, because a test or a diagnosis has an effect each time. */
  retry: 'always' | 'never';
  /** The error codes with which the operation can be refused. */
  errors: string[];
};

export type Answer =
  | { kind: 'none' }
  /** `dryRun`: the type of the answer when the body says `dryRun: true`. */
  | { kind: 'json'; type: Type; dryRun: Type | undefined }
  /**
   * A list in pages, which a library walks by itself. `items` is the field with the items. `by` leads to the next page:
   * - `cursor`: send `nextCursor` of the answer as the query parameter `cursor`.
   * - `page`: send the next number, from 1, as the query parameter `page` while `page * pageSize` is below `total`.
   * - `link`: send the query parameter `cursor` of the URL in the header `Link: <…>; rel="next"`. The answer itself is
   *   the array of items. Without `limit`, such an operation returns all items, so a library sends `limit=100`.
   */
  | { kind: 'pages'; item: Type; items: string | undefined; by: 'cursor' | 'page' | 'link' }
  /** Server-sent events, by the name of the event. */
  | { kind: 'stream'; events: { name: string; type: Type }[] };
