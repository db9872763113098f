// Runs the relay of an outbox in its own process, which outbox.test.ts kills.
import { Posthorn } from '@posthorn/client';
import { pgDatabase, relay } from '@posthorn/client/outbox';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL });
// A lost database must not end the program, because the relay tries again.
pool.on('error', () => undefined);
await relay(pgDatabase(pool), new Posthorn(), { pollMs: 20 });
