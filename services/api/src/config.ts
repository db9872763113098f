import { plan } from '@posthorn/contract/access';
import { newPassword } from '@posthorn/contract/accounts';
import { parseCursorKeys } from '@posthorn/crypto/cursor';
import { parseSealingKeys } from '@posthorn/crypto/seal';
import { parseToken } from '@posthorn/crypto/token';
import { parseAllowedCidrs } from '@posthorn/egress/address-rules';
import { commonSettings, parsedBy, readSettings, wholeNumber } from '@posthorn/runtime/env';
import { z } from 'zod';

const credential = (kind: 'management' | 'apiKey', prefix: string) =>
  z
    .string()
    .refine(
      (text) => parseToken(text)?.kind === kind,
      `must be a credential that begins with ${prefix} (posthorn-admin makes one)`,
    )
    .optional();

const schema = z.object({
  ...commonSettings,
  PORT: wholeNumber(0, 65_535).default(3_000),
  SEALING_KEYS: parsedBy(parseSealingKeys),
  CURSOR_KEYS: parsedBy(parseCursorKeys),
  /** Trades CPU for memory: with 25 an API at full rate takes 173 MiB, with V8's own choice 305 MiB. */
  HEAP_GROWTH_PERCENT: wholeNumber(0, 1_000).default(25),
  MAX_PAYLOAD_BYTES: wholeNumber(1, 1_048_576).default(262_144),
  /** 0 means no limit. */
  MAX_ENDPOINTS_PER_WORKSPACE: wholeNumber(0, 1_000_000).default(5_000),
  DEFAULT_PLAN: plan.default('enterprise'),
  EGRESS_ALLOW_CIDRS: parsedBy(parseAllowedCidrs).default(parseAllowedCidrs('')),
  /** The requests a second of one management token, session or portal session, and of one API key; 0 means no limit. */
  RATE_LIMIT_MANAGEMENT: wholeNumber(0, 1_000_000).default(100),
  RATE_LIMIT_INGEST: wholeNumber(0, 1_000_000).default(0),
  /** The workspaces that one user may own; 0 means no limit. */
  MAX_WORKSPACES_PER_USER: wholeNumber(0, 1_000_000).default(50),
  /** The number of proxies in front of the API: this many entries of X-Forwarded-For, from its end, are trusted. */
  TRUSTED_PROXIES: wholeNumber(0, 10).default(0),
  /** The first user, token and key; used while the database has no workspace, ignored afterwards. */
  BOOTSTRAP_EMAIL: z.email('must be an email address').optional(),
  BOOTSTRAP_PASSWORD: newPassword.optional(),
  BOOTSTRAP_MANAGEMENT_TOKEN: credential('management', 'phm_'),
  BOOTSTRAP_API_KEY: credential('apiKey', 'phk_'),
});

export type Config = z.output<typeof schema>;

/** The API's settings (docs/interface.md, Settings), read once; throws SettingsError with every fault. */
export function readConfig(environment?: Record<string, string | undefined>): Config {
  return readSettings(schema, environment);
}
