import { withDeadline } from '@posthorn/runtime/deadline';
import type { Lifecycle } from '@posthorn/runtime/lifecycle';
import { errorFields } from '@posthorn/runtime/logger';
import { repeat } from '@posthorn/runtime/repeat';
import { createMailRound, type MailRoundDeps } from './mail-round.ts';
import type { SendMail, SmtpOptions } from './smtp.ts';

type MailDeps = Omit<MailRoundDeps, 'send'> & {
  /** Undefined without `SMTP_URL`. */
  smtp: SmtpOptions | undefined;
  lifecycle: Pick<Lifecycle, 'onStop'>;
};

const WAIT_AFTER_ERROR_MS = 5_000;
/** A slow mail server does not keep the process from ending. Another process sends its mail when the claim ends. */
const STOP_WITHIN_MS = 5_000;

/** Starts the rounds that send queued mails, beside the requests. A stop waits for the mails that are being sent. */
export function startMail({ smtp, lifecycle, ...deps }: MailDeps): void {
  const send = smtp && sendThrough(smtp);
  const sending = createMailRound({ ...deps, send });
  const mails = repeat({
    round: sending.round,
    waitAfterErrorMs: WAIT_AFTER_ERROR_MS,
    onError: (error) => deps.logger.warn('queued mails could not be read', errorFields(error)),
  });
  const end = async () => {
    await mails.stop();
    await sending.drain();
  };
  lifecycle.onStop('mail', async () => void (await withDeadline(end(), STOP_WITHIN_MS)));
}

/** The library for SMTP is loaded with the first mail, so that a start does not read it. */
function sendThrough(smtp: SmtpOptions): SendMail {
  let opened: Promise<SendMail> | undefined;
  return async (mail) => {
    opened ??= import('./smtp.ts').then(({ openSmtp }) => openSmtp(smtp));
    const send = await opened;
    return send(mail);
  };
}
