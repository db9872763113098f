-- The application whose portal started the operation: portals have operations of their own, beside the workspace's.
ALTER TABLE "operation" ADD COLUMN "portal_application_id" UUID;
