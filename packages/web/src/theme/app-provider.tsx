import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './tokens.css';
import { MantineProvider, mergeThemeOverrides } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo } from 'react';
import { type Brand, brandTheme, brandVariables, customProperties } from './brand.ts';
import { styleNonce } from './style-nonce.ts';
import { theme } from './theme.ts';

type Props = { queryClient: QueryClient; children: ReactNode; brand?: Brand };

/** The context of the dashboard and the portal: the theme, the cache of answers, and the place for notifications. */
export function AppProvider({ queryClient, children, brand = NO_BRAND }: Props) {
  const { mode, primaryColor, css } = brand;
  const branded = useMemo(() => mergeThemeOverrides(theme, brandTheme(brand)), [brand]);
  const variables = useMemo(() => brandVariables(primaryColor), [primaryColor]);
  useEffect(() => {
    const { style } = document.documentElement;
    const properties = customProperties(css);
    for (const [name, value] of properties) style.setProperty(name, value);
    return () => {
      for (const [name] of properties) style.removeProperty(name);
    };
  }, [css]);
  return (
    <MantineProvider
      theme={branded}
      cssVariablesResolver={variables}
      defaultColorScheme="auto"
      {...(mode !== undefined && mode !== 'auto' && { forceColorScheme: mode })}
      getStyleNonce={styleNonce}
    >
      <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
      <Notifications position="bottom-right" limit={8} />
    </MantineProvider>
  );
}

const NO_BRAND: Brand = {};
