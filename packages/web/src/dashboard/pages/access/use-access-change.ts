import { notifications } from '@mantine/notifications';
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { client } from '../../../client/api.ts';
import { readAgain } from '../../../client/by-pages.ts';
import type { AgentSettings } from '../../../client/resources.ts';
import { useHeldSheet } from '../../../components/hold-sheet.ts';
import { usePlace } from '../../place.ts';
import { AGENT_SUBSCRIPTIONS, agentSettingsQuery } from './access-queries.ts';

type Options<Input, Answer> = {
  onSuccess?: (answer: Answer) => void;
  /** Closes the form after a success. Not called if the form is gone, because another one may be open. */
  onClose?: () => void;
  /** The key of another list that the change affects. It is refetched, too. */
  alsoReads?: QueryKey;
  /** True if the form shows failures itself while it is mounted. */
  isToldElsewhere?: boolean;
  /** The notification for an answer that arrives after the form was closed; null for none. `input` is what was sent. */
  afterClose?: (answer: Answer, input: Input) => string | null;
};

/**
 * Changes an entry of a list, and refetches the list. Failures are notified, unless the form shows them. The form
 * counts as open while its component is mounted, so mount the component anew for each opening. A side sheet cannot be
 * closed by accident before the answer arrives, because that may contain a secret that is shown only once.
 */
export function useAccessChange<Input, Answer>(
  queryKey: QueryKey,
  change: (input: Input) => Promise<Answer>,
  options: Options<Input, Answer> = {},
) {
  const queryClient = useQueryClient();
  const isShown = useIsShown();
  const mutation = useMutation({
    mutationFn: change,
    async onSettled() {
      if (options.alsoReads !== undefined) void readAgain(queryClient, options.alsoReads);
      await readAgain(queryClient, queryKey);
    },
    onSuccess: (answer, input) => {
      options.onSuccess?.(answer);
      if (isShown.current) options.onClose?.();
      const message = isShown.current ? null : options.afterClose?.(answer, input);
      if (message) notifications.show({ color: 'yellow', message, autoClose: false });
    },
    onError: (error) => {
      if (options.isToldElsewhere && isShown.current) return;
      notifications.show({ color: 'red', title: 'Nothing was changed', message: error.message });
    },
  });
  useHeldSheet(mutation.isPending ? 'answer' : null);
  return mutation;
}

/**
 * Changes the rules for agents by a function of what they are now: an update replaces all of them, and this keeps what
 * somebody else has changed in the meantime. It may end subscriptions.
 */
export function useAgentSettingsChange(options: Pick<Options<unknown, unknown>, 'onClose' | 'isToldElsewhere'>) {
  const place = usePlace();
  const queryClient = useQueryClient();
  const settings = agentSettingsQuery(place);
  return useAccessChange(
    settings.queryKey,
    async (change: (now: Omit<AgentSettings, 'available'>) => Omit<AgentSettings, 'available'>) => {
      const { available: _, ...now } = await queryClient.fetchQuery({ ...settings, staleTime: 0 });
      const path = { workspaceId: place.workspace.id, environmentId: place.environment.id };
      return client.PUT('/api/workspaces/{workspaceId}/environments/{environmentId}/agents', {
        params: { path },
        body: change(now),
      });
    },
    { ...options, alsoReads: AGENT_SUBSCRIPTIONS },
  );
}

/** Whether the component is still on the page, for what ends after it. */
function useIsShown() {
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  return isShown;
}
