import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { environmentsQuery, usePlace, workspacesQuery } from '../../place.ts';

/** A change of the workspace or its environments, after which the frame around the page is read again. */
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

/** Reads the workspaces, the user's role in them and the environments again, and shows the page by them. */
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
