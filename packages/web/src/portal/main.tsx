import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createAppQueryClient } from '../client/query-client.ts';
import { AppProvider } from '../theme/app-provider.tsx';
import { shareStyleNonce } from '../theme/style-nonce.ts';
import { PortalPage } from './portal-page.tsx';
import { takeToken } from './portal-token.ts';

shareStyleNonce();
takeToken();

const queryClient = createAppQueryClient(() => undefined);
const element = document.querySelector('#app');
if (element !== null) {
  createRoot(element).render(
    <StrictMode>
      <AppProvider queryClient={queryClient}>
        <PortalPage />
      </AppProvider>
    </StrictMode>,
  );
}
