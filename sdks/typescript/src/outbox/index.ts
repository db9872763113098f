export { type OutboxOptions, outbox } from './outbox.ts';
export { type RelayOptions, relay, relayPage } from './relay.ts';
export {
  type Database,
  drizzleDatabase,
  fromDrizzle,
  fromPg,
  fromPrisma,
  pgDatabase,
  prismaDatabase,
  type Sql,
} from './sql.ts';
