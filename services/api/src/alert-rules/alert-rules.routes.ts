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
    summary: 'List alert rules',
    description: 'Returns alert rules oldest first. Targets are shortened.',
    portalDescription: 'Returns your alert rules, oldest first. Targets are shortened.',
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
      'Sends messages by email, to a chat or to PagerDuty when one of the `events` occurs. No published event type is needed. If the address does not belong to a member, it first receives an email with a confirmation link.',
    portalDescription:
      'Sends messages about your endpoints by `email` or `slack`. A confirmation email is first sent to the address.',
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
    description: 'Returns an alert rule. The target is shortened.',
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
    summary: 'Update an alert rule',
    description:
      'A new address that does not belong to a member must be confirmed again. Sending back the shortened target leaves the target unchanged.',
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
    description: 'Alerts that are waiting to be sent are discarded.',
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
      'The message is sent within seconds, regardless of the quiet time. The result is then in `lastSentAt`, `lastError` and `lastErrorCode` of the rule. A rule can have one pending test at a time.',
    status: 202,
    errors: ['not_found', 'limit_reached'],
    response: alertRule,
    run: (ctx, { params }) => testAlertRule(ctx, params.id),
  }),
];
