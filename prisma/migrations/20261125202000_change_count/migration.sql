-- CreateTable
CREATE TABLE "change_count" (
    "holder_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "changes" INTEGER NOT NULL,

    CONSTRAINT "change_count_pkey" PRIMARY KEY ("holder_id","day")
);
