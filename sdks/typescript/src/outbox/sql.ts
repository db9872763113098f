/** Runs a statement, written as a tagged template, and returns its rows. */
export type Sql = (
  text: TemplateStringsArray,
  ...values: readonly (string | number)[]
) => Promise<readonly Record<string, unknown>[]>;

/** Begins and ends transactions, for the relay. */
export type Database = { transaction<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result> };

export type PgQueryable = { query(text: string, values: unknown[]): Promise<{ rows: Record<string, unknown>[] }> };

/** A client of `pg` that is in a transaction: `outbox(fromPg(client)).send(…)`. */
export function fromPg(client: PgQueryable): Sql {
  return async (text, ...values) => {
    const statement = text.reduce((whole, part, n) => `${whole}$${n}${part}`);
    return (await client.query(statement, [...values])).rows;
  };
}

/** A client of a pool of `pg`. */
export type PgClient = PgQueryable & {
  release(error?: boolean): void;
  on?(event: 'error', listener: (error: Error) => void): unknown;
  off?(event: 'error', listener: (error: Error) => void): unknown;
};

/** A pool of `pg`, for the relay. */
export function pgDatabase(pool: { connect(): Promise<PgClient> }): Database {
  return {
    async transaction(work) {
      const client = await pool.connect();
      // Without a listener, a lost connection would end the process. The next query fails, which is enough.
      const ignore = () => undefined;
      client.on?.('error', ignore);
      let isBroken = true;
      try {
        await client.query('BEGIN', []);
        const result = await work(fromPg(client));
        await client.query('COMMIT', []);
        isBroken = false;
        return result;
      } finally {
        // A connection inside a transaction must not go back to the pool. Closing it rolls the transaction back.
        client.release(isBroken);
        client.off?.('error', ignore);
      }
    },
  };
}

export type PrismaQueryable = {
  $queryRaw(text: TemplateStringsArray, ...values: unknown[]): PromiseLike<unknown>;
};

/** Prisma's client of an interactive transaction: `prisma.$transaction(async (tx) => outbox(fromPrisma(tx)).send(…))`. */
export function fromPrisma(tx: PrismaQueryable): Sql {
  return async (text, ...values) => (await tx.$queryRaw(text, ...values)) as Record<string, unknown>[];
}

/** Longer than a page may take, even when Posthorn answers slowly: see PAGE_MS in relay.ts. */
const TRANSACTION_MS = 300_000;

/** Prisma's client, for the relay. */
export function prismaDatabase(prisma: {
  $transaction<Result>(
    work: (tx: PrismaQueryable) => Promise<Result>,
    options: { timeout: number; maxWait: number },
  ): Promise<Result>;
}): Database {
  return {
    transaction: (work) =>
      prisma.$transaction((tx) => work(fromPrisma(tx)), { timeout: TRANSACTION_MS, maxWait: 10_000 }),
  };
}

export type DrizzleQueryable<Statement> = { execute(statement: Statement): PromiseLike<unknown> };
export type DrizzleTag<Statement> = (text: TemplateStringsArray, ...values: unknown[]) => Statement;

/** Drizzle's transaction and its tag `sql`: `db.transaction((tx) => outbox(fromDrizzle(tx, sql)).send(…))`. */
export function fromDrizzle<Statement>(tx: DrizzleQueryable<Statement>, tag: DrizzleTag<Statement>): Sql {
  return async (text, ...values) => {
    const result = (await tx.execute(tag(text, ...values))) as Record<string, unknown>[] | { rows: [] };
    return Array.isArray(result) ? result : result.rows;
  };
}

/** Drizzle's database and its tag `sql`, for the relay. */
export function drizzleDatabase<Statement>(
  db: { transaction<Result>(work: (tx: DrizzleQueryable<Statement>) => Promise<Result>): Promise<Result> },
  tag: DrizzleTag<Statement>,
): Database {
  return { transaction: (work) => db.transaction((tx) => work(fromDrizzle(tx, tag))) };
}
