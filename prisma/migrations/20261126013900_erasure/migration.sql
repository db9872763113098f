-- AlterEnum
ALTER TYPE "operation_type" ADD VALUE 'erasure';

-- CreateTable
CREATE TABLE "erased_event" (
    "event_id" UUID NOT NULL,
    "again_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "erased_event_pkey" PRIMARY KEY ("event_id")
);

-- CreateIndex
CREATE INDEX "erased_event_again_at_idx" ON "erased_event"("again_at");
