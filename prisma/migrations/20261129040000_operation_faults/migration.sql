-- How the last turns of an operation failed, if they did, and how many of them in a row.
ALTER TABLE "operation" ADD COLUMN "fault" TEXT, ADD COLUMN "fault_turns" INTEGER NOT NULL DEFAULT 0;
