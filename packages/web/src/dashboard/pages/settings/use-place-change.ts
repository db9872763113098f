import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { environmentsQuery, usePlace, workspacesQuery } from '../../place.ts';

/** A change of the workspace or its environments, after which the frame around the page is read again. */
export function usePlaceChange<Input>(change: (input: Input) => Promise<unknown>, onSuccess?: () => void) {
  const { workspace } = usePlace();
  const queryClient = useQueryClient();
  const router = useRouter();
  return useMutation({
    mutationFn: change,
    onSuccess: async () => {
      queryClient.removeQueries({ queryKey: workspacesQuery().queryKey });
      queryClient.removeQueries({ queryKey: environmentsQuery(workspace.id).queryKey });
      onSuccess?.();
      await router.invalidate();
    },
  });
}
