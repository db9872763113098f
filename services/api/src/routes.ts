import { auditLogRoutes } from './audit-logs/audit-logs.routes.ts';
import { deliveryRoutes } from './deliveries/deliveries.routes.ts';
import { endpointRoutes } from './endpoints/endpoints.routes.ts';
import { environmentRoutes } from './environments/environments.routes.ts';
import { eventTypeRoutes } from './event-types/event-types.routes.ts';
import type { Route } from './http/route.ts';
import { memberRoutes } from './members/members.routes.ts';
import { portalSessionRoutes } from './portal-sessions/portal-sessions.routes.ts';
import { subscriptionRoutes } from './subscriptions/subscriptions.routes.ts';

/** The table of contents: every operation on a workspace. */
export const routes: readonly Route[] = [
  ...environmentRoutes,
  ...eventTypeRoutes,
  ...endpointRoutes,
  ...subscriptionRoutes,
  ...deliveryRoutes,
  ...memberRoutes,
  ...auditLogRoutes,
  ...portalSessionRoutes,
];
