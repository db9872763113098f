import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { oneOf } from '../components/one-of.ts';
import { isOperationStatus } from '../components/operation/operation-words.ts';
import { Frame } from './frame/frame.tsx';
import { NotFound, PageError } from './frame/page-error.tsx';
import { readAccessSearch } from './pages/access/access-search.ts';
import { readAuditSearch } from './pages/audit/audit-search.ts';
import { readDeliveriesSearch } from './pages/deliveries/deliveries-search.ts';
import { readEndpointSearch } from './pages/endpoint/endpoint-search.ts';
import { readEndpointsSearch } from './pages/endpoints/endpoints-search.ts';
import { readEventsSearch } from './pages/events/events-search.ts';
import { readOverviewSearch } from './pages/overview/overview-search.ts';
import { isText, searchOf } from './search-of.ts';
import './pages/sign-in-provider/callback-query.ts';
import { readUsageSearch } from './pages/usage/months.ts';
import { firstPlace, isWorkspaceNew, loadPlace } from './place.ts';
import { redirectToId } from './redirect-to-id.ts';
import { safeReturnTo } from './safe-return-to.ts';
import { requireUser } from './session.ts';

const root = createRootRouteWithContext<{ queryClient: QueryClient }>()();

/** A page for people without a session. It explains itself why a password or a token is refused. */
const open = { getParentRoute: () => root, staticData: { isOpen: true } };

const login = createRoute({
  ...open,
  path: '/login',
  validateSearch: (search) => ({ returnTo: safeReturnTo(search.returnTo) }),
  component: lazyRouteComponent(() => import('./pages/login/login-page.tsx'), 'LoginPage'),
});

const forgotPassword = createRoute({
  ...open,
  path: '/forgot-password',
  component: lazyRouteComponent(() => import('./pages/forgot-password/forgot-password-page.tsx'), 'ForgotPasswordPage'),
});

const confirmAlerts = createRoute({
  ...open,
  path: '/confirm-alerts',
  component: lazyRouteComponent(() => import('./pages/confirm-alerts/confirm-alerts-page.tsx'), 'ConfirmAlertsPage'),
});

const stopAlerts = createRoute({
  ...open,
  path: '/stop-alerts',
  component: lazyRouteComponent(() => import('./pages/stop-alerts/stop-alerts-page.tsx'), 'StopAlertsPage'),
});

const secondFactor = createRoute({
  getParentRoute: () => root,
  path: '/second-factor',
  validateSearch: (search) => ({ returnTo: safeReturnTo(search.returnTo) }),
  beforeLoad: ({ context, location }) => requireUser(context.queryClient, location.href).then(() => undefined),
  component: lazyRouteComponent(() => import('./pages/second-factor/second-factor-page.tsx'), 'SecondFactorPage'),
});

const invitations = createRoute({
  getParentRoute: () => root,
  path: '/invitations',
  validateSearch: (search) => ({ returnTo: safeReturnTo(search.returnTo) }),
  beforeLoad: ({ context, location }) => requireUser(context.queryClient, location.href).then(() => undefined),
  component: lazyRouteComponent(() => import('./pages/invitations/invitations-page.tsx'), 'InvitationsPage'),
});

const oidcCallback = createRoute({
  ...open,
  path: '/oidc/callback',
  component: lazyRouteComponent(() => import('./pages/sign-in-provider/callback-page.tsx'), 'CallbackPage'),
});

const signInLink = createRoute({
  ...open,
  path: '/sign-in-link',
  component: lazyRouteComponent(() => import('./pages/sign-in-link/sign-in-link-page.tsx'), 'SignInLinkPage'),
});

const setPassword = createRoute({
  ...open,
  path: '/set-password',
  component: lazyRouteComponent(() => import('./pages/set-password/set-password-page.tsx'), 'SetPasswordPage'),
});

/** Takes the code from the address only if it is a text. */
const device = createRoute({
  getParentRoute: () => root,
  path: '/device',
  validateSearch: (search): { code?: string } => (typeof search.code === 'string' ? { code: search.code } : {}),
  beforeLoad: async ({ context, location }) => {
    await requireUser(context.queryClient, location.href);
  },
  component: lazyRouteComponent(() => import('./pages/device/device-page.tsx'), 'DevicePage'),
});

const start = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: async ({ context, location }) => {
    await requireUser(context.queryClient, location.href);
    const params = await firstPlace(context.queryClient);
    if (params !== undefined) throw redirect({ to: '/w/$workspace/$environment', params });
  },
  component: lazyRouteComponent(() => import('./pages/no-workspace/no-workspace-page.tsx'), 'NoWorkspacePage'),
});

const place = createRoute({
  getParentRoute: () => root,
  path: '/w/$workspace/$environment',
  beforeLoad: async ({ context, location, params }) => {
    const user = await requireUser(context.queryClient, location.href);
    return { place: await loadPlace(context.queryClient, user, params) };
  },
  component: Frame,
});

/**
 * Redirects from the id of a delivery, an event or an endpoint to its page. The search and the queue board link here.
 */
const byId = createRoute({
  getParentRoute: () => root,
  path: '/w/$workspace/~/$id',
  beforeLoad: async ({ context, location, params }) => {
    await requireUser(context.queryClient, location.href);
    throw await redirectToId(context.queryClient, params);
  },
});

const inPlace = { getParentRoute: () => place };

// One route for each page. Its component is loaded when the page is opened.
const pages = [
  createRoute({
    ...inPlace,
    path: '/',
    beforeLoad: async ({ context, params }) => {
      const isNew = await isWorkspaceNew(context.queryClient, context.place.workspace.id);
      throw redirect({ to: `/w/$workspace/$environment/${isNew ? 'get-started' : 'overview'}`, params });
    },
  }),
  createRoute({
    ...inPlace,
    path: '/get-started',
    component: lazyRouteComponent(() => import('./pages/get-started/get-started-page.tsx'), 'GetStartedPage'),
  }),
  createRoute({
    ...inPlace,
    path: '/overview',
    validateSearch: readOverviewSearch,
    component: lazyRouteComponent(() => import('./pages/overview/overview-page.tsx'), 'OverviewPage'),
  }),
  createRoute({
    ...inPlace,
    path: '/deliveries',
    validateSearch: readDeliveriesSearch,
    component: lazyRouteComponent(() => import('./pages/deliveries/deliveries-page.tsx'), 'DeliveriesPage'),
  }),
  createRoute({
    ...inPlace,
    path: '/deliveries/$deliveryId',
    validateSearch: searchOf({ attempt: isText }),
    component: lazyRouteComponent(() => import('./pages/delivery/delivery-page.tsx'), 'DeliveryPage'),
  }),
  createRoute({
    ...inPlace,
    path: '/events',
    validateSearch: readEventsSearch,
    component: lazyRouteComponent(() => import('./pages/events/events-page.tsx'), 'EventsPage'),
  }),
  createRoute({
    ...inPlace,
    path: '/events/$eventId',
    component: lazyRouteComponent(() => import('./pages/event/event-page.tsx'), 'EventPage'),
  }),
  createRoute({
    ...inPlace,
    path: '/sources',
    component: lazyRouteComponent(() => import('./pages/sources/sources-page.tsx'), 'SourcesPage'),
  }),
  createRoute({
    ...inPlace,
    path: '/operations',
    validateSearch: searchOf({ status: isOperationStatus, endpoint: isText }),
    component: lazyRouteComponent(() => import('./pages/operations/operations-page.tsx'), 'OperationsPage'),
  }),
  createRoute({
    ...inPlace,
    path: '/endpoints',
    validateSearch: readEndpointsSearch,
    component: lazyRouteComponent(() => import('./pages/endpoints/endpoints-page.tsx'), 'EndpointsPage'),
  }),
  createRoute({
    ...inPlace,
    path: '/endpoints/$endpointId',
    validateSearch: readEndpointSearch,
    component: lazyRouteComponent(() => import('./pages/endpoint/endpoint-page.tsx'), 'EndpointPage'),
  }),
  createRoute({
    ...inPlace,
    path: '/event-types',
    validateSearch: searchOf({ search: isText }),
    component: lazyRouteComponent(() => import('./pages/event-types/event-types-page.tsx'), 'EventTypesPage'),
  }),
  createRoute({
    ...inPlace,
    path: '/operational-events',
    validateSearch: searchOf({ endpoint: isText }),
    component: lazyRouteComponent(
      () => import('./pages/operational-events/operational-events-page.tsx'),
      'OperationalEventsPage',
    ),
  }),
  createRoute({
    ...inPlace,
    path: '/promote',
    validateSearch: searchOf({ from: isText, to: isText }),
    component: lazyRouteComponent(() => import('./pages/promote/promote-page.tsx'), 'PromotePage'),
  }),
  createRoute({
    ...inPlace,
    path: '/customers',
    validateSearch: searchOf({ search: isText, order: oneOf({ newest: true }) }),
    component: lazyRouteComponent(() => import('./pages/customers/customers-page.tsx'), 'CustomersPage'),
  }),
  createRoute({
    ...inPlace,
    path: '/customers/$applicationId',
    component: lazyRouteComponent(() => import('./pages/customer/customer-page.tsx'), 'CustomerPage'),
  }),
  createRoute({
    ...inPlace,
    path: '/alerts',
    component: lazyRouteComponent(() => import('./pages/alerts/alerts-page.tsx'), 'AlertsPage'),
  }),
  createRoute({
    ...inPlace,
    path: '/access',
    validateSearch: readAccessSearch,
    component: lazyRouteComponent(() => import('./pages/access/access-page.tsx'), 'AccessPage'),
  }),
  createRoute({
    ...inPlace,
    path: '/account',
    component: lazyRouteComponent(() => import('./pages/account/account-page.tsx'), 'AccountPage'),
  }),
  createRoute({
    ...inPlace,
    path: '/audit',
    validateSearch: readAuditSearch,
    component: lazyRouteComponent(() => import('./pages/audit/audit-page.tsx'), 'AuditPage'),
  }),
  createRoute({
    ...inPlace,
    path: '/usage',
    validateSearch: readUsageSearch,
    component: lazyRouteComponent(() => import('./pages/usage/usage-page.tsx'), 'UsagePage'),
  }),
  createRoute({
    ...inPlace,
    path: '/queues',
    component: lazyRouteComponent(() => import('./pages/queues/queues-page.tsx'), 'QueuesPage'),
  }),
  createRoute({
    ...inPlace,
    path: '/settings',
    component: lazyRouteComponent(() => import('./pages/settings/settings-page.tsx'), 'SettingsPage'),
  }),
] as const;

const routeTree = root.addChildren([
  login,
  forgotPassword,
  secondFactor,
  setPassword,
  confirmAlerts,
  stopAlerts,
  invitations,
  oidcCallback,
  signInLink,
  device,
  start,
  byId,
  place.addChildren(pages),
]);

export function createAppRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    context: { queryClient },
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    defaultErrorComponent: PageError,
    defaultNotFoundComponent: NotFound,
  });
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    isOpen?: boolean;
  }
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
