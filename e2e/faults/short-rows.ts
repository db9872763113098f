import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import type { Shape } from './rig.ts';
import { shapeOfRow } from './row.ts';
import { rows } from './rows.ts';
import { runRow } from './run-row.ts';

/** A row, the scale of its size, and its shape if it differs from that of its rig. */
export type ShortRow = [name: string, scale: number, shape?: Shape];

/**
 * A lease lasts as long as an attempt may. With a short timeout, deliveries of a killed dispatcher are
 * attempted again sooner.
 */
const settings = { DELIVERY_TIMEOUT_SECONDS: '5' };

/**
 * Makes tests of these rows at a small scale, with about 2,000 deliveries and without time limits. `npm run faults`
 * runs all rows in full.
 */
export function testShortRows(short: readonly ShortRow[]): void {
  const logs = mkdtempSync(join(tmpdir(), 'posthorn-faults-'));
  afterAll(() => rmSync(logs, { recursive: true, force: true }));

  test.each(short.map(([name, scale, wanted]) => ({ name, scale, wanted })))(
    '$name: every accepted event is delivered unchanged, in legal steps and never early; only deliveries in flight may be repeated',
    async ({ name, scale, wanted }) => {
      const row = rows.find((one) => one.name === name);
      const shape = row && shapeOfRow(row, wanted);
      if (row === undefined || shape === undefined) throw new Error(`there is no row ${name} for ${wanted}`);
      const seed = Math.floor(Math.random() * 1e6);
      const said: string[] = [];
      const { faults, verdict } = await runRow(row, {
        seed,
        scale,
        times: false,
        say: (line) => said.push(line),
        logs,
        rig: { shape, apis: shape === 'one' ? 2 : 1, dispatchers: 2, settings },
      });
      const told = faults.length > 0 ? [...said, ...(verdict?.examples ?? [])] : [];
      expect({ seed, faults, told }).toEqual({ seed, faults: [], told: [] });
    },
    150_000,
  );
}
