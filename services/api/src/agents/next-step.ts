import type { attempt, delivery } from '@posthorn/contract/deliveries';
import type { SkipReason } from '@posthorn/contract/events';
import type { z } from 'zod';

type Attempt = z.output<typeof attempt>;
type Delivery = z.output<typeof delivery>;

/** Advice about a failed attempt. An empty text after a success. */
export function afterAttempt({ outcome, errorCode, responseStatus }: Attempt): string {
  if (outcome === 'success') return '';
  if (errorCode === 'http_status' && responseStatus !== null)
    return STATUSES[responseStatus] ?? ofClass(responseStatus);
  return ERRORS[errorCode ?? 'internal'];
}

/** Advice about a delivery in its present state. */
export function afterDelivery({ status, failureReason }: Pick<Delivery, 'status' | 'failureReason'>): string {
  switch (status) {
    case 'delivered':
      return 'Nothing: the endpoint has it.';
    case 'pending':
    case 'delivering':
      return 'Wait: it is about to be sent. endpoint_health shows whether the endpoint is slow or limited.';
    case 'scheduled_retry':
      return 'Fix the receiver, or wait for the next attempt. retry_delivery sends it now.';
    case 'failed':
    case 'dead_letter':
      return failureReason === null ? RETRY : REASONS[failureReason];
  }
}

/** Advice about an endpoint that did not get an event, by the reason. */
export const AFTER_SKIP: Record<SkipReason, string> = {
  event_type_not_published: 'Publish the event type in the environment, then send the event again.',
  endpoint_deleted: 'Nothing: the endpoint does not exist any more.',
  other_application:
    'Nothing, if the event was meant for that application. Else send it for that application, or with * for all.',
  not_subscribed: 'Subscribe the endpoint to the event type, then recover_endpoint with mode "missed".',
  endpoint_inactive: 'Activate the endpoint (set_endpoint_active), then recover_endpoint with mode "missed".',
  filtered: 'Nothing, if the filter is meant so. Else change the filter of the subscription, then recover_endpoint.',
};

function ofClass(status: number): string {
  if (status >= 500) return 'The receiver failed. Look into its logs; its answer may name the fault.';
  if (status >= 300 && status < 400) return 'Redirects are not followed. Set the URL to where it leads.';
  return 'The receiver refused the request. Its answer may say why.';
}

const RETRY = 'Fix the receiver, then retry_delivery, or recover_endpoint for all that failed.';

const STATUSES: Record<number, string> = {
  400: 'Most often the receiver refused the signature. Compare the secret, and let it verify the raw bytes.',
  401: 'The receiver wants other credentials. Compare the secret and the headers of the endpoint.',
  403: 'The receiver refuses the request. Check its firewall and how it verifies the signature.',
  404: 'The path does not exist at the receiver. Check the URL of the endpoint.',
  405: 'The path does not take POST. Check the URL of the endpoint.',
  410: 'The receiver is gone for good, so the endpoint was deactivated. Activate it if that was a mistake.',
  413: 'The receiver refuses bodies of this size. Raise its limit.',
  415: 'The receiver does not take this content type. Let it accept that type.',
  429: 'The receiver asks for fewer requests. Set a rate limit for the endpoint.',
};

const ERRORS: Record<NonNullable<Attempt['errorCode']>, string> = {
  timeout: 'The receiver was too slow. Let it answer first and work later, or raise timeoutSeconds of the endpoint.',
  dns_failure: 'Check that the host name of the URL is right and resolves.',
  connection_refused: 'Check that the receiver runs, listens at that port, and that its firewall lets requests in.',
  connection_reset: 'The connection broke. Look for restarts and body limits at the receiver.',
  tls_error: 'Renew or complete the certificate of the receiver: diagnose_endpoint shows what is wrong with it.',
  blocked_address: 'The URL leads to an address that may not be reached. Use a public address.',
  http_status: 'The receiver refused the request. Its answer may say why.',
  too_large: 'Let the receiver answer with fewer headers.',
  protocol_error: 'What answered is not HTTP. Check the URL and the port.',
  internal: 'Posthorn had a fault. The delivery is tried again.',
  proxy_error: 'The proxy of the endpoint or of the installation failed. Check its address and its rules.',
  oauth2_failed: 'The token endpoint gave no token. Check the client id, the secret and the scopes.',
  nacked: 'The consumer gave it back. It comes again.',
  lease_expired: 'The consumer did not answer before its lease ended. Look for a consumer that stopped.',
  authentication_failed: 'The credentials were refused. Renew them and store the new ones.',
  access_denied: 'The credentials may not send there. Give them the permissions.',
  target_not_found: 'The queue, topic, stream or bucket does not exist. Create it, or correct the destination.',
  unroutable: 'The broker has no queue for the message. Bind one, or correct the routing key.',
  invalid_target: 'The template makes a name that the provider forbids. Change it.',
  invalid_payload: 'The provider does not take this payload. Change what is sent, or the type of the endpoint.',
  target_exists: 'Another object has this key. Put {{eventId}} into the key.',
  message_too_large: 'The message is too large for the provider. Send less.',
  throttled: 'The provider asks for fewer messages. Set a rate limit for the endpoint.',
  broker_error: 'The provider failed. It is tried again.',
  transformation_failed: 'The transformation of the endpoint failed. Correct its code.',
};

const REASONS: Record<NonNullable<Delivery['failureReason']>, string> = {
  endpoint_inactive: 'Activate the endpoint (set_endpoint_active), then retry_delivery.',
  endpoint_deleted: 'Nothing: the endpoint does not exist any more.',
  subscription_ended: 'Nothing: the agent has unsubscribed, or did not refresh its subscription in time.',
  quarantined: 'Its worker was lost five times. Tell the operator of Posthorn, then retry_delivery.',
  retries_exhausted: RETRY,
  gone: 'Activate the endpoint when its address works again, then recover_endpoint.',
  aborted_by_receiver: 'The receiver ended the delivery. Ask its owner why, then retry_delivery.',
  blocked_address: 'Use a public address in the URL, then retry_delivery.',
  invalid_target: 'Change the template of the destination, then retry_delivery.',
  invalid_payload: 'Change what is sent, or the type of the endpoint, then retry_delivery.',
  target_exists: 'Put {{eventId}} into the key, then retry_delivery.',
  message_too_large: 'Send less, such as a link to the data.',
  payload_expired: 'Send the event again: its payload was erased.',
  payload_unreadable: 'Tell the operator of Posthorn: the key that sealed the payload is missing.',
  invalid_request: 'Correct the configuration of the endpoint, then retry_delivery.',
  cancelled: 'Nothing: someone cancelled it. retry_delivery sends it.',
  cancelled_by_transformation: 'Nothing, if the transformation is meant so. Else change its code, then retry_delivery.',
};
