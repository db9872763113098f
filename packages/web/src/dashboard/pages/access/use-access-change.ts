import { notifications } from '@mantine/notifications';
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { useHeldSheet } from '../../../components/hold-sheet.ts';

/**
 * A change of one of the lists. The list is read again; a failure is told, unless a dialog shows it. A side sheet does
 * not close by accident until the answer is there, which may hold a secret that is shown once.
 */
export function useAccessChange<Input, Answer>(
  queryKey: QueryKey,
  change: (input: Input) => Promise<Answer>,
  options: { onSuccess?: (answer: Answer) => void; isToldElsewhere?: boolean } = {},
) {
  const queryClient = useQueryClient();
  const mutation = useMutation({
    mutationFn: change,
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
    onSuccess: (answer) => options.onSuccess?.(answer),
    onError: (error) => {
      if (options.isToldElsewhere) return;
      notifications.show({ color: 'red', title: 'Nothing was changed', message: error.message });
    },
  });
  useHeldSheet(mutation.isPending ? 'answer' : null);
  return mutation;
}
