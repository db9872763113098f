import { agentKeyRoutes } from './agent-keys/agent-keys.routes.ts';
import { agentSubscriptionRoutes } from './agent-subscriptions/agent-subscriptions.routes.ts';
import { alertRuleRoutes } from './alert-rules/alert-rules.routes.ts';
import { apiKeyRoutes } from './api-keys/api-keys.routes.ts';
import { applicationRoutes } from './applications/applications.routes.ts';
import { applyRoutes } from './apply/apply.routes.ts';
import { auditLogRoutes } from './audit-logs/audit-logs.routes.ts';
import { catalogRoutes } from './catalog/catalog.routes.ts';
import { deliveryRoutes } from './deliveries/deliveries.routes.ts';
import { endpointTypeRoutes } from './endpoint-types/endpoint-types.routes.ts';
import { endpointRoutes } from './endpoints/endpoints.routes.ts';
import { environmentRoutes } from './environments/environments.routes.ts';
import { erasureRoutes } from './erasure/erasure.routes.ts';
import { eventTypeRoutes } from './event-types/event-types.routes.ts';
import { eventRoutes } from './events/events.routes.ts';
import { liveRoutes } from './live/live.routes.ts';
import { managementTokenRoutes } from './management-tokens/management-tokens.routes.ts';
import { memberRoutes } from './members/members.routes.ts';
import type { Route } from './operation/route.ts';
import { operationalEventRoutes } from './operational-events/operational-events.routes.ts';
import { operationRoutes } from './operations/operations.routes.ts';
import { portalSessionRoutes } from './portal-sessions/portal-sessions.routes.ts';
import { promotionRoutes } from './promotion/promotion.routes.ts';
import { pullKeyRoutes } from './pull-keys/pull-keys.routes.ts';
import { searchRoutes } from './search/search.routes.ts';
import { sourceRoutes } from './sources/sources.routes.ts';
import { statsRoutes } from './stats/stats.routes.ts';
import { subscriptionRoutes } from './subscriptions/subscriptions.routes.ts';
import { transformationRoutes } from './transformations/transformations.routes.ts';
import { usageRoutes } from './usage/usage.routes.ts';
import { workspaceRoutes } from './workspaces/workspaces.routes.ts';

/** Every operation on a workspace. */
export const routes: readonly Route[] = [
  ...workspaceRoutes,
  ...applyRoutes,
  ...environmentRoutes,
  ...promotionRoutes,
  ...apiKeyRoutes,
  ...eventTypeRoutes,
  ...searchRoutes,
  ...catalogRoutes,
  ...applicationRoutes,
  ...endpointTypeRoutes,
  ...endpointRoutes,
  ...transformationRoutes,
  ...pullKeyRoutes,
  ...agentKeyRoutes,
  ...agentSubscriptionRoutes,
  ...subscriptionRoutes,
  ...sourceRoutes,
  ...deliveryRoutes,
  ...eventRoutes,
  ...erasureRoutes,
  ...operationRoutes,
  ...operationalEventRoutes,
  ...alertRuleRoutes,
  ...statsRoutes,
  ...usageRoutes,
  ...liveRoutes,
  ...managementTokenRoutes,
  ...memberRoutes,
  ...auditLogRoutes,
  ...portalSessionRoutes,
];
