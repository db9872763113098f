import { nextCursor } from '../../../client/next-cursor.ts';
import { BYTE_ORDER_MARK } from '../../../components/save-file.ts';

const MOST_ROWS = '1000';

/** The usage of a workspace as a file of CSV. Each page of the API begins with the line of names, and the file has it once. */
export async function downloadUsage(
  workspaceId: string,
  span: { from: string; to: string; step: string },
): Promise<string> {
  let csv = BYTE_ORDER_MARK;
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = new URLSearchParams({ ...span, limit: MOST_ROWS, ...(cursor !== '' && { cursor }) });
    const answer: Response = await fetch(`/api/workspaces/${workspaceId}/usage?${query}`, {
      headers: { accept: 'text/csv' },
    });
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    const page = await answer.text();
    csv += csv === BYTE_ORDER_MARK ? page : page.slice(page.indexOf('\n') + 1);
    cursor = nextCursor(answer);
  }
  return csv;
}
