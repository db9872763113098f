import type { Work } from '@posthorn/ledger/due-work';
import type { Clock } from '@posthorn/runtime/clock';
import { withDeadline } from '@posthorn/runtime/deadline';
import type { Lifecycle } from '@posthorn/runtime/lifecycle';
import { errorFields, type Logger } from '@posthorn/runtime/logger';
import type { Watch } from '../watch.ts';
import { createGather } from './gather.ts';
import { createSendAlerts, type SendAlertsDeps } from './send-alerts.ts';
import { tellDue } from './tell.ts';

type AlertsDeps = SendAlertsDeps & {
  clock: Clock;
  gatherMs: number;
  watch: Watch;
  logger: Pick<Logger, 'warn'>;
  lifecycle: Pick<Lifecycle, 'onStop'>;
};

const WAIT_AFTER_ERROR_MS = 2_000;
/** Another dispatcher sends a message that the stop cuts off, when its claim ends. */
const DRAIN_MS = 3_000;

/**
 * Starts the rounds of alerts: raised alerts are gathered for each rule, become a message when it is due, and are sent.
 */
export function startAlerts({ gatherMs, watch, lifecycle, ...deps }: AlertsDeps): void {
  const { db, clock, logger } = deps;
  const sending = createSendAlerts(deps);
  const start = (work: Work, what: string, round: () => Promise<number>) =>
    watch.repeat(work, {
      round,
      waitAfterErrorMs: WAIT_AFTER_ERROR_MS,
      onError: (error) => logger.warn(`alerts could not be ${what}`, errorFields(error)),
    });
  const rounds = [
    start('raisedAlerts', 'gathered', createGather({ db, gatherMs })),
    start('gatheredAlerts', 'told', () => tellDue(db, clock)),
    start('outgoingAlerts', 'sent', () => sending.round()),
  ];
  lifecycle.onStop('alerts', async () => {
    await Promise.all(rounds.map((one) => one.stop()));
    await withDeadline(sending.drain(), DRAIN_MS);
  });
}
