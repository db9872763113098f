import { parseSealingKeys } from '@posthorn/crypto/seal';
import { parseAllowedCidrs } from '@posthorn/egress/address-rules';
import { commonSettings, flag, parsedBy, readSettings, wholeNumber } from '@posthorn/runtime/env';
import { z } from 'zod';
import { parseRetrySchedule } from './deliver/retry-schedule.ts';

const schema = z.object({
  ...commonSettings,
  SEALING_KEYS: parsedBy(parseSealingKeys),
  EGRESS_ALLOW_CIDRS: parsedBy(parseAllowedCidrs).default(parseAllowedCidrs('')),
  /** Concurrent attempts of this process. Each may need one of the 1,000 connections. */
  DELIVERY_CONCURRENCY: wholeNumber(1, 1_000).default(200),
  DELIVERY_TIMEOUT_SECONDS: wholeNumber(1, 30).default(15),
  RETRY_SCHEDULE: parsedBy(parseRetrySchedule).default(
    parseRetrySchedule('5,300,1800,7200,18000,36000,50400,72000,86400'),
  ),
  /**
   * Trades CPU for memory: at full rate a dispatcher takes 215 MiB at 40; with V8's default 330 MiB and 8 % less CPU.
   */
  HEAP_GROWTH_PERCENT: wholeNumber(0, 1_000).default(40),
  SWEEP_INTERVAL_MS: wholeNumber(100, 60_000).default(2_000),
  ADMIN_PORT: wholeNumber(0, 65_535).default(9_465),
  ADMIN_USER: z.string().default('admin'),
  /** Without a password the queue board refuses every request. */
  ADMIN_PASSWORD: z.string().min(12, 'must have at least 12 characters').optional(),
  /** Lets the board retry and remove jobs. */
  ADMIN_WRITE: flag.default(false),
});

export type Config = z.output<typeof schema>;

/** The dispatcher's settings (docs/interface.md, Settings), read once; throws SettingsError with every fault. */
export function readConfig(environment?: Record<string, string | undefined>): Config {
  return readSettings(schema, environment);
}
