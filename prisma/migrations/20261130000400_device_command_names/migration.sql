-- The names of a device's commands, so that lists need not read schemas and descriptions.

ALTER TABLE "devices" ADD COLUMN "command_names" TEXT[] COLLATE "C" NOT NULL DEFAULT '{}';

-- By the text of each command, which begins with its name: a schema may hold \u0000, which nothing that takes JSON apart reads.
UPDATE "devices" SET "command_names" = ARRAY(
    SELECT substring(c.command::text FROM '"name"\s*:\s*"([^"]*)"')
    FROM json_array_elements("commands") WITH ORDINALITY AS c(command, at)
    ORDER BY c.at
);
