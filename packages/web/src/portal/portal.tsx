import { Box, Skeleton } from '@mantine/core';
import type { QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api } from '../client/api.ts';
import { nowMs } from '../clock.ts';
import { ErrorNotice } from '../components/error-notice.tsx';
import { t } from '../language/language.ts';
import { AppProvider } from '../theme/app-provider.tsx';
import { useAccess } from './access.ts';
import { Ended } from './ended.tsx';
import { Frame } from './frame/frame.tsx';
import { keepReturnUrl } from './return-url.ts';
import { type PortalSession, SessionContext } from './session.ts';
import { useToldEnd, useToldHeight } from './tell-parent.ts';

/** The customer's own pages, in the look that the session names. */
export function Portal({ queryClient }: { queryClient: QueryClient }) {
  const access = useAccess();
  const session = api.useQuery('get', '/api/portal/session', {}, { enabled: access === 'open' }, queryClient);
  useKept(session.data, session.refetch);
  useToldHeight(session.data?.portalOrigins);
  useToldEnd(access);
  return (
    <AppProvider queryClient={queryClient} brand={session.data?.theme ?? undefined}>
      {access !== 'open' ? (
        <Ended access={access} />
      ) : session.data !== undefined ? (
        <SessionContext value={session.data}>
          <Frame />
        </SessionContext>
      ) : (
        <Box p="lg" maw={1280} mx="auto">
          {session.error ? (
            <ErrorNotice
              title={t('The page could not be loaded')}
              error={session.error}
              onRetry={() => void session.refetch()}
            />
          ) : (
            <Skeleton height={24} width={220} />
          )}
        </Box>
      )}
    </AppProvider>
  );
}

/** Keeps the way back, and asks again when the session ends: the answer, and not this clock, ends the page. */
function useKept(session: PortalSession | undefined, refetch: () => Promise<unknown>): void {
  const { returnUrl = null, expiresAt } = session ?? {};
  useEffect(() => (returnUrl === null ? undefined : keepReturnUrl(returnUrl)), [returnUrl]);
  useEffect(() => {
    if (expiresAt === undefined) return undefined;
    const timer = setTimeout(() => void refetch(), Date.parse(expiresAt) - nowMs());
    return () => clearTimeout(timer);
  }, [expiresAt, refetch]);
}
