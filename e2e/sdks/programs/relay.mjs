// The relay of an outbox as a program of its own; outbox.test.ts kills it.
import { Posthorn } from '@posthorn/client';
import { pgDatabase, relay } from '@posthorn/client/outbox';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL });
// A database that goes away must not end the program: the relay tries again.
pool.on('error', () => undefined);
await relay(pgDatabase(pool), new Posthorn(), { pollMs: 20 });
