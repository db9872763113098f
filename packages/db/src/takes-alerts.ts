/**
 * The membership of a person who takes the alerts of the workspace without a confirmation: the address is proved, so the person
 * agreed to be a member, and has not stopped the alerts.
 */
export function takesAlerts(workspaceId: string, email: string) {
  return { workspaceId, alertsStoppedAt: null, user: { email, addressProvenAt: { not: null } } };
}
