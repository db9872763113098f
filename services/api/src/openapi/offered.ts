import { accountRoutes } from '../account/account.routes.ts';
import { ownTokenRoutes } from '../management-tokens/management-tokens.routes.ts';
import { portalRoutes } from '../portal/portal.routes.ts';
import { routes } from '../routes.ts';
import type { Offered } from './document.ts';

/**
 * The operations of each interface, as the app mounts them: a test requests every operation of the document from the
 * app.
 */
export const offered: Offered = {
  management: routes.filter((route) => !route.dashboardOnly),
  ownToken: ownTokenRoutes,
  dashboard: routes,
  portal: [...portalRoutes, ...routes].filter((route) => route.capability !== undefined),
  account: accountRoutes,
};
