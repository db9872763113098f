import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './tokens.css';
import { MantineProvider, mergeThemeOverrides } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { type Brand, brandTheme, brandVariables } from './brand.ts';
import { styleNonce } from './style-nonce.ts';
import { theme } from './theme.ts';

type Props = { queryClient: QueryClient; children: ReactNode; brand?: Brand };

/** What both entries stand in: the theme, the cache of answers, and the place for notifications. */
export function AppProvider({ queryClient, children, brand = NO_BRAND }: Props) {
  const { mode, primaryColor } = brand;
  const branded = useMemo(() => mergeThemeOverrides(theme, brandTheme(primaryColor)), [primaryColor]);
  const variables = useMemo(() => brandVariables(primaryColor), [primaryColor]);
  return (
    <MantineProvider
      theme={branded}
      cssVariablesResolver={variables}
      defaultColorScheme="auto"
      {...(mode !== undefined && mode !== 'auto' && { forceColorScheme: mode })}
      getStyleNonce={styleNonce}
    >
      <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
      <Notifications position="bottom-right" limit={3} />
    </MantineProvider>
  );
}

const NO_BRAND: Brand = {};
