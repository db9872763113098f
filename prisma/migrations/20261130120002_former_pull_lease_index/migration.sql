DROP INDEX "delivery_pull_lease_idx";
