import { emailAddress } from '@posthorn/contract/accounts';
import { ALERT_CHANNELS, type AlertChannel } from '@posthorn/contract/alert-rules';
import type { WorkspaceContext } from '../operation/context.ts';
import { invalid } from '../transport/error.ts';

/** Where messages go. `shown` is enough to recognise the target, and too little to use it. */
export type AlertTarget = { value: string; shown: string };

type Check = (ctx: Pick<WorkspaceContext, 'vetUrl' | 'settings'>, given: string) => AlertTarget | Promise<AlertTarget>;

const CHECKS: Record<(typeof ALERT_CHANNELS)[AlertChannel]['target'], Check> = {
  address: checkAddress,
  pagerduty_key: checkKey,
  url: checkUrl,
};

/** Checks a target by the rules of its channel; `validation_error` names the rule. */
export async function checkTarget(
  ctx: Pick<WorkspaceContext, 'vetUrl' | 'settings'>,
  channel: AlertChannel,
  given: string,
): Promise<AlertTarget> {
  return CHECKS[ALERT_CHANNELS[channel].target](ctx, given);
}

function checkAddress({ settings }: Pick<WorkspaceContext, 'settings'>, given: string): AlertTarget {
  if (!settings.sendsMail) throw invalid('channel cannot be email: this installation sends no mail', 'channel');
  const address = emailAddress.safeParse(given);
  if (!address.success) throw invalid('target must be an email address', 'target', 'email');
  return { value: address.data, shown: shownAddress(address.data) };
}

function shownAddress(address: string): string {
  const at = address.lastIndexOf('@');
  return `${address.slice(0, Math.min(2, at))}…${address.slice(at)}`;
}

function checkKey(_ctx: unknown, given: string): AlertTarget {
  if (!/^[a-zA-Z0-9]{32}$/.test(given)) {
    throw invalid('target must be the integration key of a service of PagerDuty: 32 letters and digits', 'target');
  }
  return { value: given, shown: `…${given.slice(-4)}` };
}

async function checkUrl({ vetUrl }: Pick<WorkspaceContext, 'vetUrl'>, given: string): Promise<AlertTarget> {
  const verdict = await vetUrl(given);
  if (verdict.kind === 'refused') {
    throw invalid(verdict.message.replace(/^(?:Webhook URL|url)\b/, 'target'), 'target', verdict.rule);
  }
  const { origin, pathname, search } = new URL(verdict.url);
  const rest = `${pathname}${search}`;
  return { value: verdict.url, shown: rest === '/' ? `${origin}/` : `${origin}/…${rest.slice(-4)}` };
}
