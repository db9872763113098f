export { type OutboxOptions, outbox } from './outbox.ts';
export { type RelayOptions, relay, relayPage, type Sender } from './relay.ts';
export {
  type Database,
  type DrizzleQueryable,
  type DrizzleTag,
  drizzleDatabase,
  fromDrizzle,
  fromPg,
  fromPrisma,
  type PgClient,
  type PgQueryable,
  type PrismaQueryable,
  pgDatabase,
  prismaDatabase,
  type Sql,
} from './sql.ts';
