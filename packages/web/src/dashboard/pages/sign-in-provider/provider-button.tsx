import { Button, Stack } from '@mantine/core';
import { api } from '../../../client/api.ts';
import { ErrorNotice } from '../../../components/error-notice.tsx';

/** Starts a sign-in at the provider. Afterwards it returns to `returnTo`. */
export function ProviderButton({ name, returnTo }: { name: string; returnTo: string }) {
  const start = api.useMutation('post', '/api/auth/oidc/start', {
    onSuccess: ({ url }) => window.location.assign(url),
  });
  return (
    <Stack gap="sm">
      {start.error ? <ErrorNotice title={`${name} cannot be reached`} error={start.error} /> : null}
      <Button
        variant="default"
        size="sm"
        loading={start.isPending}
        onClick={() => start.mutate({ body: { returnTo } })}
      >
        Sign in with {name}
      </Button>
    </Stack>
  );
}
