-- A turn of a line that begins late takes the times that have passed meanwhile, as far as no period has more
-- than the limit. Otherwise each late turn would lower the rate. Only "reserve" differs from the function before.

-- Answers questions about the limits of endpoints, each endpoint's in the order of their numbers. Endpoints are locked in the
-- order of their ids, by the row with the rate ''. What a question of a `kind` says (all times in milliseconds):
--   reserve  Reserves times by the generic cell rate algorithm: `rate` names the limit, `intervalMs`, `toleranceMs` and
--            `furthestMs` are its pace. At most `most` times, none later than `aheadMs`. `passes` is 0 for the line, 1 for a
--            new delivery, and 2 for a new one that waits for the line alone. A new one that is refused marks the line for
--            `forMs`. The line gets times that have passed, as far as `passedMs`: a version before this one says none.
--   late     A request was `lateMs` later than its time. It is counted once within `forMs`.
--   mark     Others wait in the line for `forMs`; 0 when nobody does.
--   take     Takes one of `most` slots for `holder`, for `leaseMs`. `passes` is 0 in the turn of the line, and 1 for a new
--            delivery: one that is refused marks the line for `forMs`.
--   release  Releases the slot of `holder`, and says whether others wait in the line.
CREATE OR REPLACE FUNCTION "ask_limits"("asked" json)
RETURNS TABLE ("number" int, "waits_ms" double precision[], "next_ms" double precision, "is_so" boolean) LANGUAGE plpgsql AS $$
DECLARE
  "q" record;
  "present" double precision;
  -- Until when others wait in the line; 0 when nobody does.
  "line" double precision;
  "line_before" double precision;
  -- Until when the rate is used; by how much a request of this period was late, and the end of the period.
  "used" double precision;
  "told" double precision;
  "told_until" double precision;
  "is_changed" boolean;
  "next_used" double precision;
  "wait" double precision;
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  FOR "q" IN
    SELECT a.*, row_number() OVER of_rate = 1 AS "is_first", lead(a."n") OVER of_rate IS NULL AS "is_last"
    FROM json_to_recordset("asked") AS a("n" int, "kind" text, "endpointId" uuid, "rate" text, "passes" int, "most" int,
      "intervalMs" double precision, "toleranceMs" double precision, "passedMs" double precision, "furthestMs" double precision,
      "aheadMs" double precision, "lateMs" double precision, "forMs" double precision, "holder" uuid, "leaseMs" double precision)
    WINDOW of_rate AS (PARTITION BY a."endpointId", a."rate" ORDER BY a."n")
    ORDER BY a."endpointId", a."rate", a."n"
  LOOP
    IF "q"."is_first" THEN
      LOOP
        SELECT "ms_of"(r."line_until") INTO "line" FROM "rate_state" r
        WHERE r."endpoint_id" = "q"."endpointId" AND r."rate" = '' FOR UPDATE;
        EXIT WHEN FOUND;
        -- Nobody has asked before, or the row was swept while this waited for its lock.
        INSERT INTO "rate_state" ("endpoint_id", "rate") VALUES ("q"."endpointId", '') ON CONFLICT DO NOTHING;
      END LOOP;
      "present" := "ms_of"(clock_timestamp());
      -- No turn of a line is more than an hour ahead. A later mark comes from a clock that was set back.
      IF "line" IS NULL OR "line" NOT BETWEEN "present" AND "present" + 7200000 THEN
        "line" := 0;
      END IF;
      "line_before" := "line";
      "is_changed" := false;
      IF "q"."rate" <> '' THEN
        SELECT "ms_of"(r."used_until"), r."told_late_ms", "ms_of"(r."late_until") INTO "used", "told", "told_until"
        FROM "rate_state" r WHERE r."endpoint_id" = "q"."endpointId" AND r."rate" = "q"."rate";
      END IF;
    END IF;

    "number" := "q"."n";
    "waits_ms" := NULL;
    "next_ms" := NULL;
    "is_so" := NULL;
    CASE "q"."kind"
      WHEN 'reserve' THEN
        "waits_ms" := '{}';
        -- A time further ahead than any reservation reaches comes from a clock that was set back, and is cut.
        "next_used" := least(greatest(coalesce("used", "present"),
            "present" - CASE WHEN "q"."passes" = 0 THEN coalesce("q"."passedMs", 0) ELSE 0 END),
          "present" + "q"."toleranceMs" + "q"."intervalMs" + "q"."furthestMs");
        IF "q"."passes" = 0 OR "line" = 0 THEN
          FOR "i" IN 1 .. "q"."most" LOOP
            "wait" := greatest(least(0, "next_used" - "present"), "next_used" - "q"."toleranceMs" - "present");
            IF "q"."passes" = 2 THEN
              "wait" := 0;
            ELSIF "wait" > "q"."aheadMs" THEN
              EXIT;
            END IF;
            "waits_ms" := "waits_ms" || "wait";
            "next_used" := greatest("next_used", "present" + "wait") + "q"."intervalMs";
          END LOOP;
        END IF;
        "next_ms" := greatest(0, "next_used" - "q"."toleranceMs" - "present");
        IF cardinality("waits_ms") > 0 THEN
          "used" := "next_used";
          "is_changed" := true;
        ELSIF "q"."passes" > 0 AND "line" = 0 THEN
          "line" := "present" + "q"."forMs";
        END IF;
      WHEN 'late' THEN
        IF "told_until" IS NULL OR "told_until" NOT BETWEEN "present" AND "present" + "q"."forMs" THEN
          "told" := 0;
        END IF;
        -- A rate that nobody uses any more has no distance to keep.
        IF "used" + 1000 > "present" AND "q"."lateMs" > "told" THEN
          "used" := "used" + "q"."lateMs" - "told";
          "told" := "q"."lateMs";
          "told_until" := "present" + "q"."forMs";
          "is_changed" := true;
        END IF;
      WHEN 'mark' THEN
        "line" := CASE WHEN "q"."forMs" > 0 THEN "present" + "q"."forMs" ELSE 0 END;
      WHEN 'take' THEN
        "is_so" := "q"."passes" = 0 OR "line" = 0;
        IF "is_so" THEN
          -- No lease of an attempt is longer than 10 minutes.
          "is_so" := "count_held"(1::smallint, "q"."endpointId", 600000) < "q"."most";
          IF "is_so" THEN
            PERFORM "hold_place"(1::smallint, "q"."endpointId", "q"."holder", "q"."leaseMs");
          ELSIF "q"."passes" > 0 THEN
            "line" := "present" + "q"."forMs";
          END IF;
        END IF;
      WHEN 'release' THEN
        DELETE FROM "held" WHERE "kind" = 1 AND "subject" = "q"."endpointId" AND "holder" = "q"."holder";
        "is_so" := "line" > 0;
    END CASE;
    RETURN NEXT;

    IF "q"."is_last" THEN
      IF "is_changed" THEN
        INSERT INTO "rate_state" ("endpoint_id", "rate", "used_until", "told_late_ms", "late_until")
        VALUES ("q"."endpointId", "q"."rate", "at_ms"("used"), "told", "at_ms"("told_until"))
        ON CONFLICT ("endpoint_id", "rate") DO UPDATE
        SET "used_until" = excluded."used_until", "told_late_ms" = excluded."told_late_ms", "late_until" = excluded."late_until";
      END IF;
      IF "line" <> "line_before" THEN
        UPDATE "rate_state" r SET "line_until" = "at_ms"(nullif("line", 0))
        WHERE r."endpoint_id" = "q"."endpointId" AND r."rate" = '';
      END IF;
    END IF;
  END LOOP;
END $$;
