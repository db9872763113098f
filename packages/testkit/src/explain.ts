import type { Db } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';

/**
 * A client that also runs each raw query with `explain analyze`, and the plans so far as JSON texts. Use it to test
 * that a statement reads few rows while its tables have no statistics, as on the first day of an installation.
 */
export function explaining(db: Db): { db: Db; plans: string[] } {
  const plans: string[] = [];
  const explained = new Proxy(db, {
    get(target, name) {
      if (name !== '$queryRaw') return Reflect.get(target, name);
      return async (parts: TemplateStringsArray, ...values: unknown[]) => {
        const query = Prisma.sql(parts, ...values);
        const [plan] = await target.$queryRaw<object[]>`explain (analyze, format json) ${query}`;
        plans.push(JSON.stringify(plan));
        return target.$queryRaw(query);
      };
    },
  });
  return { db: explained, plans };
}
