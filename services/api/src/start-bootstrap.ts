import type { Db } from '@posthorn/db/client';
import type { Clock } from '@posthorn/runtime/clock';
import type { Lifecycle } from '@posthorn/runtime/lifecycle';
import { errorFields, type Logger } from '@posthorn/runtime/logger';
import { bootstrap } from './bootstrap.ts';
import type { Config } from './config.ts';

type BootstrapSettings = Pick<
  Config,
  'DEFAULT_PLAN' | 'BOOTSTRAP_EMAIL' | 'BOOTSTRAP_PASSWORD' | 'BOOTSTRAP_MANAGEMENT_TOKEN' | 'BOOTSTRAP_API_KEY'
>;

type StartBootstrapDeps = {
  db: Db;
  clock: Clock;
  logger: Logger;
  lifecycle: Pick<Lifecycle, 'onStop'>;
  /** The time between two tries. */
  againMs: number;
};

/**
 * Makes the first workspace of the settings. It is tried once before the API is ready, and then repeated until Postgres
 * is reachable and migrated: processes may start in any order.
 */
export async function startBootstrap(config: BootstrapSettings, deps: StartBootstrapDeps): Promise<void> {
  const { db, clock, logger, lifecycle, againMs } = deps;
  const { BOOTSTRAP_EMAIL: email, BOOTSTRAP_PASSWORD: password } = config;
  const managementToken = config.BOOTSTRAP_MANAGEMENT_TOKEN;
  const apiKey = config.BOOTSTRAP_API_KEY;
  const login = email === undefined || password === undefined ? undefined : { email, password };
  if (login === undefined && managementToken === undefined) return;
  try {
    const made = await bootstrap(db, { plan: config.DEFAULT_PLAN, clock, login, managementToken, apiKey });
    if (made) logger.info('the first workspace was created');
    if (made && login === undefined)
      logger.warn('the first workspace has no owner: BOOTSTRAP_EMAIL and BOOTSTRAP_PASSWORD are not both set');
  } catch (error) {
    logger.warn('the first workspace could not be created yet', errorFields(error));
    const again = setTimeout(() => void startBootstrap(config, deps), againMs);
    lifecycle.onStop('bootstrap', () => clearTimeout(again));
  }
}
