// An alert for the Events API v2 of PagerDuty. A type that ends with .resolved, .recovered or .closed resolves the alert
// of the same data.id; every other type triggers one.
// URL of the endpoint: https://events.pagerduty.com/v2/enqueue

// The integration key of your service in PagerDuty.
const ROUTING_KEY = '';

const SEVERITIES = ['critical', 'error', 'warning', 'info'];
const RESOLVING = ['.resolved', '.recovered', '.closed'];

function transform(event) {
  if (ROUTING_KEY === '') throw new Error('Write the integration key of your PagerDuty service into ROUTING_KEY');
  const { data, type } = event;
  const subject = String(data?.id ?? data?.data?.id ?? event.id).slice(0, 255);
  if (RESOLVING.some((end) => (type ?? '').endsWith(end))) {
    return { data: { routing_key: ROUTING_KEY, event_action: 'resolve', dedup_key: subject } };
  }
  const severity = SEVERITIES.includes(data?.severity) ? data.severity : 'error';
  const summary = `${type ?? 'Event'}: ${data?.message ?? data?.summary ?? subject}`.slice(0, 1024);
  return {
    data: {
      routing_key: ROUTING_KEY,
      event_action: 'trigger',
      dedup_key: subject,
      payload: {
        summary,
        source: event.applicationId ?? event.endpoint.id,
        severity,
        timestamp: event.createdAt,
        custom_details: data ?? { body: event.body },
      },
    },
  };
}
