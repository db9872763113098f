/**
 * What each sealed value is bound to: its row, and its use in it. The API seals and the dispatcher opens under the
 * same words; a sealed value moved to another row or column does not open.
 */
export const sealContext = {
  payload: (eventId: string) => `event:${eventId}:payload`,
  signingSecret: (secretId: string) => `signing_secret:${secretId}`,
  endpointPassword: (endpointId: string) => `endpoint:${endpointId}:password`,
};
