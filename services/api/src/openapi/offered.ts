import { accountRoutes } from '../account/account.routes.ts';
import { portalRoutes } from '../portal/portal.routes.ts';
import { routes } from '../routes.ts';
import type { Offered } from './document.ts';

/** What each door offers, as the app mounts it: a test asks the app for every operation of the document. */
export const offered: Offered = {
  management: routes.filter((route) => !route.dashboardOnly),
  dashboard: routes,
  portal: [...portalRoutes, ...routes].filter((route) => route.capability !== undefined),
  account: accountRoutes,
};
