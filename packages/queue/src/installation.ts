export type InstallationOptions = {
  /** The id of the installation, from Postgres. */
  readId: () => Promise<string>;
  /** Called after each look: whether another installation has the keys. */
  onLook: (isForeign: boolean) => void;
  /** Called when a look failed: a store is away. */
  onAway: (error: unknown) => void;
};
