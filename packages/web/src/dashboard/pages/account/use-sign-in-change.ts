import { useMutation, useQueryClient } from '@tanstack/react-query';
import { fieldProblem } from '../../../client/api-error.ts';
import { secondFactorQuery, sessionsQuery } from './account-queries.ts';

/**
 * A change of how the person signs in. `onAsked` is called when the API requires the password, because the login is too
 * old.
 */
export function useSignInChange<Input, Answer>(
  change: (input: Input) => Promise<Answer>,
  { onSuccess, onAsked }: { onSuccess: (answer: Answer) => void; onAsked?: () => void },
) {
  const queryClient = useQueryClient();
  return useMutation({
    meta: { asksPassword: true },
    mutationFn: change,
    onSuccess,
    onError: (error) => {
      if (fieldProblem(error, 'currentPassword') !== undefined) onAsked?.();
    },
    onSettled: async () => {
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: secondFactorQuery().queryKey }),
        // This request also shows whether the current session has ended.
        queryClient.invalidateQueries({ queryKey: sessionsQuery().queryKey }),
      ]);
    },
  });
}
