import { parseSealingKeys } from '@posthorn/crypto/seal';
import { parseAllowedCidrs } from '@posthorn/egress/address-rules';
import { parseProxyUrl } from '@posthorn/egress/proxy-url';
import { parsePlanLimits } from '@posthorn/ingest/quota-limits';
import { DEFAULT_RETRY_SCHEDULE, parseRetrySchedule } from '@posthorn/messages/retry-schedule';
import { commonSettings, flag, readSettings, wholeNumber } from '@posthorn/runtime/env';
import { parsedBy } from '@posthorn/runtime/parsed-setting';
import { z } from 'zod';

function parseHosts(text: string): ReadonlySet<string> {
  return new Set(text.split(',').flatMap((part) => part.trim().toLowerCase() || []));
}

/** The dispatcher's settings, with the descriptions that docs/generate.mjs writes into the reference. @public */
export const settings = z.object({
  ...commonSettings,
  SEALING_KEYS: parsedBy(parseSealingKeys).describe('Secret. The same as in the API.'),
  EGRESS_ALLOW_CIDRS: parsedBy(parseAllowedCidrs).default(parseAllowedCidrs('')).describe('The same as in the API.'),
  EGRESS_ALLOW_PLAINTEXT: flag.default(false).describe('The same as in the API.'),
  EGRESS_PROXY_URL: parsedBy(parseProxyUrl)
    .optional()
    .describe(
      'Secret. An HTTP proxy for webhooks, their tokens, and messages to AWS, by CONNECT: `http://[user:password@]host:port`, or `https` for TLS to the proxy itself. It is given addresses that were checked, and sees only encrypted bytes.',
    ),
  EGRESS_PROXY_CA: z
    .string()
    .regex(/-----BEGIN CERTIFICATE-----/, 'must be certificates in PEM')
    .optional()
    .describe(
      'The authorities of the certificate of an `https` proxy, in PEM, usually as `EGRESS_PROXY_CA_FILE`. Unset: those that Node trusts.',
    ),
  DELIVERY_CONCURRENCY: wholeNumber(1, 1_000)
    .default(200)
    .describe('Concurrent attempts of this process. Each may need one of its 1,000 connections.'),
  DELIVERY_TIMEOUT_SECONDS: wholeNumber(1, 30).default(15).describe('Time for one whole attempt.'),
  RETRY_SCHEDULE: parsedBy(parseRetrySchedule)
    .default(parseRetrySchedule(DEFAULT_RETRY_SCHEDULE))
    .describe('Seconds from a failed attempt to the next one, each varied by 20 %.'),
  CATCH_UP_FACTOR: wholeNumber(0, 100)
    .default(2)
    .describe(
      'After an outage of Posthorn, what waited is sent to an endpoint at this many times its usual rate, at least 5 a second. With 1, a busy endpoint hardly catches up. 0 sends it at once.',
    ),
  SOURCES: flag.default(true).describe('Whether this process reads sources.'),
  MAX_PAYLOAD_BYTES: wholeNumber(1, 1_048_576).default(262_144).describe('The same as in the API.'),
  QUOTA_EVENTS_PER_DAY: parsedBy(parsePlanLimits).default(parsePlanLimits('0')).describe('The same as in the API.'),
  QUOTA_BYTES_KEPT: parsedBy(parsePlanLimits).default(parsePlanLimits('0')).describe('The same as in the API.'),
  QUOTA_ATTEMPT_BYTES_KEPT: parsedBy(parsePlanLimits).default(parsePlanLimits('0')).describe('The same as in the API.'),
  HEAP_GROWTH_PERCENT: wholeNumber(0, 1_000).default(40).describe('The same as in the API, with another default.'),
  SWEEP_INTERVAL_MS: wholeNumber(100, 60_000)
    .default(2_000)
    .describe('How often a dispatcher looks for overdue rows that have no job.'),
  MCP_EVENTS_NO_CONTROL_HOSTS: parsedBy(parseHosts)
    .default(parseHosts('connectors.api.openai.com'))
    .meta({ values: 'host names separated by commas; a comma alone is none' })
    .describe(
      'Callbacks of agents at these hosts are not told that their subscription has ended: they know events alone. Unset: `connectors.api.openai.com`.',
    ),
  ADMIN_PORT: wholeNumber(0, 65_535).default(9_465).describe('The port of the queue board. 0 is any free port.'),
  ADMIN_USER: z.string().default('admin').describe('The user name of the queue board.'),
  ADMIN_PASSWORD: z
    .string()
    .min(12, 'must have at least 12 characters')
    .optional()
    .describe('Secret. At least 12 characters. Without it the queue board refuses every request.'),
  ADMIN_WRITE: flag
    .default(false)
    .describe('Lets the board retry and remove jobs; without Redis, pause and resume queues.'),
});

export type Config = z.output<typeof settings>;

/** The dispatcher's settings (docs/interface.md, Settings), read once; throws SettingsError with every fault. */
export function readConfig(environment?: Record<string, string | undefined>): Config {
  return readSettings(settings, environment);
}
