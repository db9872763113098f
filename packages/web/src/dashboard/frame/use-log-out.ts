import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../../client/api.ts';
import { isUnauthorized } from '../../client/api-error.ts';
import { announceFailure } from '../../components/announce-change.tsx';

/** Ends the session. The cache is emptied, so that nothing of it stays on the screen of a shared computer. */
export function useLogOut(): () => void {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const leave = async () => {
    await navigate({ to: '/login', search: { returnTo: '/' } });
    // All but what the login page has begun to read: it would wait for that for ever.
    queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[1] !== '/api/auth/sign-in' });
    queryClient.getMutationCache().clear();
  };
  const { mutate } = api.useMutation('post', '/api/auth/oidc/logout', {
    // The session of the sign-in provider ends on a page of its own.
    onSuccess: ({ url }) => (url === null ? leave() : window.location.assign(url)),
    // A session that goes on must not look ended.
    onError: (error) => (isUnauthorized(error) ? leave() : announceFailure(error)),
  });
  return () => mutate({});
}
