-- CreateTable
CREATE TABLE "installation" (
    "id" UUID NOT NULL,

    CONSTRAINT "installation_pkey" PRIMARY KEY ("id")
);

-- By hand: what Prisma's schema cannot say.

-- One row, for as long as the database lives.
INSERT INTO "installation" ("id") VALUES (gen_random_uuid());
