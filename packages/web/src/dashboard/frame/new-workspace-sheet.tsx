import { SideSheet } from '../../components/side-sheet.tsx';
import { NewWorkspaceForm } from '../pages/no-workspace/new-workspace-form.tsx';

export function NewWorkspaceSheet({ onClose }: { onClose: () => void }) {
  return (
    <SideSheet opened onClose={onClose} title="New workspace">
      <NewWorkspaceForm onCreated={onClose} />
    </SideSheet>
  );
}
