import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../../client/api.ts';
import { isUnauthorized } from '../../client/api-error.ts';
import { announceFailure } from '../../components/announce-change.tsx';

/** Ends the session, and empties the cache, so that no data stays on the screen of a shared computer. */
export function useLogOut(): () => void {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const leave = async () => {
    await navigate({ to: '/login', search: { returnTo: '/' } });
    // Keeps the query that the login page has started, because the page would wait for it for ever.
    queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[1] !== '/api/auth/sign-in' });
    queryClient.getMutationCache().clear();
  };
  const { mutate } = api.useMutation('post', '/api/auth/oidc/logout', {
    // The session of the sign-in provider is ended on the provider's own page.
    onSuccess: ({ url }) => (url === null ? leave() : window.location.assign(url)),
    // A session that still exists must not look ended.
    onError: (error) => (isUnauthorized(error) ? leave() : announceFailure(error)),
  });
  return () => mutate({});
}
