import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createAppQueryClient } from '../client/query-client.ts';
import { shareStyleNonce } from '../theme/style-nonce.ts';
import { setAccess } from './access.ts';
import { Portal } from './portal.tsx';
import { takeToken } from './portal-token.ts';

/** Takes the token out of the address and shows the portal. */
export function start(): void {
  shareStyleNonce();

  const queryClient = createAppQueryClient(() => setAccess('ended'));
  const hasToken = takeToken(() => {
    setAccess('open');
    void queryClient.resetQueries();
  });
  setAccess(hasToken ? 'open' : 'missing');

  const element = document.querySelector('#app');
  if (element !== null) {
    createRoot(element).render(
      <StrictMode>
        <Portal queryClient={queryClient} />
      </StrictMode>,
    );
  }
}
