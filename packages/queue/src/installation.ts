export type InstallationOptions = {
  /** Reads the installation's id from Postgres. */
  readId: () => Promise<string>;
  /** Called after each check, with whether another installation has the keys. */
  onLook: (isForeign: boolean) => void;
  /** Called when a check failed because a store is away. */
  onAway: (error: unknown) => void;
};
