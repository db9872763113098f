import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createAppQueryClient } from '../client/query-client.ts';
import { AppProvider } from '../theme/app-provider.tsx';
import { shareStyleNonce } from '../theme/style-nonce.ts';
import { createAppRouter } from './router.tsx';

shareStyleNonce();

function onSessionEnded(): void {
  const { location, matches } = router.state;
  // The address of such a page may contain a secret, which must not become part of the login page's address.
  if (matches.some(({ staticData }) => staticData.isOpen)) return;
  queryClient.clear();
  void router.navigate({ to: '/login', search: { returnTo: location.href } });
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
