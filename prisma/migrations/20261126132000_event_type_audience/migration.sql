-- CreateTable
CREATE TABLE "event_type_audience" (
    "environment_id" UUID NOT NULL,
    "event_type_id" UUID NOT NULL,
    "application_ids" UUID[],

    CONSTRAINT "event_type_audience_pkey" PRIMARY KEY ("environment_id","event_type_id")
);

-- CreateIndex
CREATE INDEX "event_type_audience_event_type_id_idx" ON "event_type_audience"("event_type_id");

-- AddForeignKey
ALTER TABLE "event_type_audience" ADD CONSTRAINT "event_type_audience_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environment"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "event_type_audience" ADD CONSTRAINT "event_type_audience_event_type_id_fkey" FOREIGN KEY ("event_type_id") REFERENCES "event_type"("id") ON DELETE CASCADE ON UPDATE CASCADE;
