import {
  alertRule,
  createAlertRuleBody,
  listAlertRulesQuery,
  updateAlertRuleBody,
} from '@posthorn/contract/alert-rules';
import { z } from 'zod';
import { route } from '../operation/route.ts';
import {
  createAlertRule,
  deleteAlertRule,
  getAlertRule,
  listAlertRules,
  testAlertRule,
  updateAlertRule,
} from './alert-rules.ts';

const shared = { tag: 'Alert rules', capability: 'alerts:write' } as const;
const read = { ...shared, scopes: ['read'], role: 'viewer' } as const;
const write = { ...shared, scopes: ['write'], role: 'member', inEnvironment: true } as const;

export const alertRuleRoutes = [
  route({
    ...read,
    operationId: 'listAlertRules',
    method: 'get',
    path: '/alert-rules',
    summary: 'List the alert rules',
    description: 'Oldest first. Targets are shortened.',
    portalDescription: 'Your rules, oldest first. Targets are shortened.',
    status: 200,
    errors: ['invalid_cursor', 'not_found'],
    links: true,
    query: listAlertRulesQuery,
    response: z.array(alertRule),
    run: (ctx, { query }) => listAlertRules(ctx, query),
  }),
  route({
    ...write,
    operationId: 'createAlertRule',
    method: 'post',
    path: '/alert-rules',
    summary: 'Create an alert rule',
    description:
      'Messages go to an address, a chat or PagerDuty when one of the `events` happens. No published event type is needed. An address that is not a member’s first gets a mail with a link to confirm.',
    portalDescription:
      'Messages about your endpoints, by `email` or `slack`. The address first gets a mail to confirm.',
    status: 201,
    errors: ['not_found', 'limit_reached'],
    body: createAlertRuleBody,
    response: alertRule,
    run: (ctx, { body }) => createAlertRule(ctx, body),
  }),
  route({
    ...read,
    operationId: 'getAlertRule',
    method: 'get',
    path: '/alert-rules/{id}',
    summary: 'Get an alert rule',
    description: 'Its target is shortened.',
    status: 200,
    errors: ['not_found'],
    response: alertRule,
    run: (ctx, { params }) => getAlertRule(ctx, params.id),
  }),
  route({
    ...write,
    operationId: 'updateAlertRule',
    method: 'patch',
    path: '/alert-rules/{id}',
    summary: 'Change an alert rule',
    description: 'A new address that is not a member’s is confirmed again. The shortened target changes nothing.',
    status: 200,
    errors: ['not_found', 'limit_reached'],
    body: updateAlertRuleBody,
    response: alertRule,
    immutable: ['channel'],
    present: (ctx, params) => getAlertRule(ctx, params.id),
    run: (ctx, { params, body }) => updateAlertRule(ctx, params.id, body),
  }),
  route({
    ...write,
    operationId: 'deleteAlertRule',
    method: 'delete',
    path: '/alert-rules/{id}',
    summary: 'Delete an alert rule',
    description: 'Alerts that it has gathered are not sent.',
    status: 204,
    errors: ['not_found'],
    run: (ctx, { params }) => deleteAlertRule(ctx, params.id),
  }),
  route({
    ...write,
    operationId: 'testAlertRule',
    method: 'post',
    path: '/alert-rules/{id}/test',
    summary: 'Send a test message',
    description:
      'The message goes out within seconds, whatever the quiet time. `lastSentAt`, `lastError` and `lastErrorCode` of the rule then say what became of it. One test of a rule waits at a time.',
    status: 202,
    errors: ['not_found', 'limit_reached'],
    response: alertRule,
    run: (ctx, { params }) => testAlertRule(ctx, params.id),
  }),
];
