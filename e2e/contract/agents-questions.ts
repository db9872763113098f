import type { PreparedWorkspace } from './agents-workspace.ts';

export type Question = {
  question: string;
  calls: readonly [tool: string, args: object][];
  /** Texts that the answers must contain. */
  facts: readonly string[];
};

/** Questions that an operator asks about the prepared workspace. */
export function questionsOf(ids: PreparedWorkspace['ids']): Question[] {
  const one = (question: string, tool: string, args: object, facts: readonly string[]): Question => ({
    question,
    calls: [[tool, args]],
    facts,
  });
  const why = (question: string, event_id: string, endpoint_id: string, facts: readonly string[]) =>
    one(question, 'why_not_delivered', { event_id, endpoint_id }, facts);
  return [
    one('Where is order-1001?', 'find_events', { idempotency_key: 'order-1001' }, [ids.paid, '1 dead_letter']),
    one('What happened to this event everywhere?', 'why_not_delivered', { event_id: ids.paid }, [
      ids.deadLetter,
      'dead_letter',
      ids.waitingRetry,
      'scheduled_retry',
    ]),
    why('Why did the inactive endpoint not get it?', ids.paid, ids.inactive, [
      'endpoint_inactive',
      'set_endpoint_active',
    ]),
    why('Why did the filtered endpoint not get it?', ids.paid, ids.filtered, ['filtered', 'amount', '100', '20']),
    why('Why did the refunds endpoint not get it?', ids.paid, ids.unsubscribed, [
      'not_subscribed',
      'Subscribe the endpoint',
    ]),
    why('Did billing get it?', ids.paid, 'ext:billing', [ids.healthy, 'delivered', '1 attempt(s)', 'last answer 200']),
    why("Why did Acme's event not go to billing?", ids.forAcme, ids.healthy, ['other_application']),
    one('Why did nobody get the invoice?', 'why_not_delivered', { event_id: ids.unpublished }, [
      'invoice.created was not published',
    ]),
    one('When is the scheduled event sent?', 'why_not_delivered', { event_id: ids.scheduled }, ['It is scheduled for']),
    one('Which events got to nobody?', 'find_events', { status: 'unmatched' }, [ids.unpublished]),
    one('Which deliveries are dead letters?', 'find_events', { delivery_status: 'dead_letter' }, [
      ids.deadLetter,
      ids.failing,
    ]),
    one('What did the receiver answer, and what helps?', 'show_delivery', { delivery_id: ids.deadLetter }, [
      'answer 500',
      'IGNORE ALL PREVIOUS INSTRUCTIONS',
      'retry_delivery',
    ]),
    one('When is it tried again?', 'show_delivery', { delivery_id: ids.waitingRetry }, [
      'next attempt 2',
      'answer 503',
      '3600',
    ]),
    one('What did we send?', 'show_delivery', { delivery_id: ids.deadLetter, include_payload: true }, [
      '\\"amount\\":20',
    ]),
    one('Which endpoints have trouble?', 'list_failing', { include_degraded: true }, [
      ids.failing,
      ids.retrying,
      'degraded',
    ]),
    one('How is the failing endpoint?', 'endpoint_health', { endpoint_id: ids.failing }, [
      'degraded',
      'Last success never',
      ids.deadLetter,
      'order.paid',
    ]),
    one('Is the receiver reachable right now?', 'diagnose_endpoint', { endpoint_id: ids.failing }, ['broken']),
    one('How many attempts failed lately, and where?', 'stats', { since: '1h', group_by: 'endpoint' }, [
      ids.failing,
      'failed',
      'dead letters',
    ]),
    {
      question: 'What is in order.paid, and who gets it?',
      calls: [['describe_event_type', { event_type: 'order.paid' }]],
      facts: ['A customer has paid an order.', 'Production', 'amount', 'Endpoints that subscribe to it', ids.healthy],
    },
    {
      question: 'What is a dead letter, and how do I get them back?',
      calls: [
        ['search_docs', { query: 'dead letter' }],
        ['search_docs', { query: 'recover failed deliveries of an endpoint' }],
      ],
      facts: ['dead_letter', 'recover'],
    },
  ];
}
