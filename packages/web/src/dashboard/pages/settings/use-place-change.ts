import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { environmentsQuery, usePlace, workspacesQuery } from '../../place.ts';

/** A change of the workspace or its environments. Afterwards it refetches the data of the frame around the page. */
export function usePlaceChange<Input>(change: (input: Input) => Promise<unknown>, onSuccess?: () => void) {
  const readAgain = useReadPlaceAgain();
  return useMutation({
    mutationFn: change,
    onSuccess: async () => {
      onSuccess?.();
      await readAgain();
    },
  });
}

/** Refetches the workspaces, the user's role and the environments, and re-renders the page with them. */
export function useReadPlaceAgain(): () => Promise<void> {
  const { workspace } = usePlace();
  const queryClient = useQueryClient();
  const router = useRouter();
  return async () => {
    queryClient.removeQueries({ queryKey: workspacesQuery().queryKey });
    queryClient.removeQueries({ queryKey: environmentsQuery(workspace.id).queryKey });
    await router.invalidate();
  };
}
