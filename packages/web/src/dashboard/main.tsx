import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createAppQueryClient } from '../client/query-client.ts';
import { AppProvider } from '../theme/app-provider.tsx';
import { shareStyleNonce } from '../theme/style-nonce.ts';
import { createAppRouter } from './router.tsx';

shareStyleNonce();

/** A page for people without a session, whose requests may be refused. */
const OPEN_PAGES = new Set([
  '/login',
  '/set-password',
  '/forgot-password',
  '/confirm-alerts',
  '/oidc/callback',
  '/sign-in-link',
]);

function onSessionEnded(): void {
  const { pathname, href } = router.state.location;
  // Both pages say why a password or a token is refused. The fragment of the second one is a secret, which must not
  // become a part of the login's address.
  if (OPEN_PAGES.has(pathname)) return;
  queryClient.clear();
  void router.navigate({ to: '/login', search: { returnTo: href } });
}

function onFactorRequired(): void {
  const { pathname, href } = router.state.location;
  if (pathname !== '/second-factor') void router.navigate({ to: '/second-factor', search: { returnTo: href } });
}

const queryClient = createAppQueryClient(onSessionEnded, onFactorRequired);
const router = createAppRouter(queryClient);

const element = document.querySelector('#app');
if (element !== null) {
  createRoot(element).render(
    <StrictMode>
      <AppProvider queryClient={queryClient}>
        <RouterProvider router={router} />
      </AppProvider>
    </StrictMode>,
  );
}
