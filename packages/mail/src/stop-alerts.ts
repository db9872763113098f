import { sealContext } from '@posthorn/crypto/contexts';
import { open, type SealingKeys, seal } from '@posthorn/crypto/seal';

/** The mails that the link in an alert mail stops: those of a rule, or those that workspace members get by default. */
export type StoppedAlerts = { workspaceId: string; ruleId: string; address: string };

/**
 * The address of a page that stops the mails, also with a request without login (RFC 8058). Nothing about it is stored.
 */
export function stopAlertsUrl(
  keys: SealingKeys,
  baseUrl: string,
  { workspaceId, ruleId, address }: StoppedAlerts,
): string {
  const text = JSON.stringify([workspaceId, ruleId, address]);
  const sealed = seal(keys, Buffer.from(text, 'utf8'), sealContext.stopAlerts());
  return `${baseUrl}/stop-alerts?token=${sealed.toString('base64url')}`;
}

/** Reads which mails the token of such a link stops; undefined for any other text. */
export function readStopToken(keys: SealingKeys, token: string): StoppedAlerts | undefined {
  const opened = open(keys, Buffer.from(token, 'base64url'), sealContext.stopAlerts());
  if (opened.kind !== 'opened') return undefined;
  const [workspaceId, ruleId, address] = JSON.parse(opened.plaintext.toString('utf8')) as [string, string, string];
  return { workspaceId, ruleId, address };
}
